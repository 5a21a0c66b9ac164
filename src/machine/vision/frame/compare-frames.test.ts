import { expect, it } from 'vitest';
import { compareFrames } from './compare-frames.ts';
import type { EightBitFrame } from './frame.ts';

const frame = (samples: readonly number[], widthPx = 2): EightBitFrame => ({
  format: 'rgba8',
  widthPx,
  heightPx: samples.length / 4 / widthPx,
  samples: Uint8ClampedArray.from(samples),
});
const grey = frame([9, 9, 9, 255, 9, 9, 9, 255, 9, 9, 9, 255, 9, 9, 9, 255]);

it('finds nothing between equal frames', () => {
  expect(compareFrames(grey, grey)).toMatchObject({ largestLevels: 0, meanLevels: 0, blockLevels: 0 });
});

it('finds the largest difference and its place, and draws all of them', () => {
  const other = frame([9, 9, 10, 0, 9, 9, 9, 255, 9, 9, 9, 255, 5, 9, 9, 255]);
  const { picture, ...figures } = compareFrames(grey, other)!;
  expect(figures).toEqual({ largestLevels: 4, meanLevels: 5 / 12, blockLevels: 1, xPx: 1, yPx: 1 });
  expect([...picture.samples]).toEqual([0, 0, 8, 255, 0, 0, 0, 255, 0, 0, 0, 255, 32, 0, 0, 255]);
});

it('compares colours, whichever form the samples have', () => {
  const planes: EightBitFrame = {
    ...grey,
    format: 'ycbcr8',
    samples: grey.samples.map((_, at) => [9, 128, 128, 255][at % 4]!),
  };
  expect(compareFrames(grey, planes)).toMatchObject({ largestLevels: 0 });
});

it('takes for the same what differs in single pixels only, and for another what is moved', () => {
  const samplesOf = (level: (x: number, y: number) => number) =>
    frame(
      Array.from({ length: 20 * 18 }, (_, at) => level(at % 20, Math.floor(at / 20))).flatMap((grey) => [
        grey,
        grey,
        grey,
        255,
      ]),
      20,
    );
  const flat = samplesOf(() => 100);
  expect(
    compareFrames(
      flat,
      samplesOf((x, y) => ((x + y) % 2 ? 90 : 110)),
    ),
  ).toMatchObject({ largestLevels: 10, blockLevels: 0 });
  // the last block is 4 × 2 pixels
  expect(
    compareFrames(
      flat,
      samplesOf((x, y) => (x >= 16 && y >= 16 ? 92 : 100)),
    ),
  ).toMatchObject({ blockLevels: 8 });
});

it('compares no frames of different sizes', () => {
  expect(compareFrames(grey, frame([...grey.samples], 4))).toBeNull();
});
