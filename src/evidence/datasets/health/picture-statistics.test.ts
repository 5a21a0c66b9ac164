import { expect, it } from 'vitest';
import { greyCopy } from './grey-copy.ts';
import { measuredSize, pictureStatistics } from './picture-statistics.ts';

const side = 32;
const grey = (levelAt: (x: number, y: number) => number) => ({
  widthPx: side,
  heightPx: side,
  samples: Float64Array.from({ length: side * side }, (_, at) => levelAt(at % side, Math.floor(at / side))),
});
/** stripes that are `width` pixels wide */
const stripes = (width: number) => grey((x) => (Math.floor(x / width) % 2 === 0 ? 50 : 150));

it('measures brightness as the mean, and contrast as the deviation', () => {
  const { brightness, contrast } = pictureStatistics(stripes(4));
  expect(brightness).toBeCloseTo(100 / 255, 12);
  expect(contrast).toBeCloseTo(50 / 255, 12);
});

it('measures the variance of the Laplacian inside the border', () => {
  // One bright pixel of 10: its Laplacian is −40, that of its four neighbours 10, all others 0.
  const { sharpness } = pictureStatistics(grey((x, y) => (x === 9 && y === 9 ? 10 : 0)));
  expect(sharpness).toBeCloseTo((40 ** 2 + 4 * 10 ** 2) / (side - 2) ** 2, 9);
});

it('calls a blurred picture less sharp, and brightness alone nothing', () => {
  const sharp = stripes(4);
  const blurred = grey((x, y) => {
    const of = (at: number): number => sharp.samples[y * side + Math.min(side - 1, Math.max(0, at))]!;
    return (of(x - 1) + of(x) + of(x + 1)) / 3;
  });
  const brighter = grey((x, y) => sharp.samples[y * side + x]! + 60);
  const of = pictureStatistics(sharp).sharpness;
  expect(pictureStatistics(blurred).sharpness).toBeLessThan(of / 2);
  expect(pictureStatistics(brighter).sharpness).toBeCloseTo(of, 9);
});

it.each([
  [4000, 3000, 256, 192],
  [100, 200, 100, 200],
  [2, 2, 2, 2],
  [5000, 4, 256, 3],
])('measures %s × %s pixels at %s × %s', (widthPx, heightPx, wide, high) => {
  expect(measuredSize({ widthPx, heightPx })).toEqual({ widthPx: wide, heightPx: high });
});

it('measures a picture of two pixels, without sharpness', () => {
  const grey = { widthPx: 2, heightPx: 1, samples: [0, 255] };
  expect(pictureStatistics(grey)).toEqual({ brightness: 0.5, contrast: 0.5, sharpness: 0 });
});

it('copies a picture small and grey: the mean of what each pixel covers, by the weights of luma', () => {
  const [red, green, blue, white] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]; // prettier-ignore
  // Three columns into two: the first pixel covers two of them.
  const samples = [red, green, blue, red, white, white].flat() as number[];
  const { samples: grey } = greyCopy({ widthPx: 3, heightPx: 2, samples }, { widthPx: 2, heightPx: 1 });
  const [r, g, b] = [0.299 * 255, 0.587 * 255, 0.114 * 255];
  expect(grey[0]).toBeCloseTo((r + g + r + 255) / 4, 9);
  expect(grey[1]).toBeCloseTo((b + 255) / 2, 9);
});
