import { describe, expect, it } from 'vitest';
import { findBlobs } from './find-blobs.ts';
import { markPixels } from './mark-pixels.ts';
import { pixelTest } from './pixel-test.ts';
import { separateBlobs as separated, type BlobMark, type BlobWish } from './separate-blobs.ts';

type Rgb = readonly [number, number, number];
type Place = readonly [xMin: number, yMin: number, xMax: number, yMax: number];

const [widthPx, heightPx] = [60, 40];
const rule = { hueDeg: 0, tolerance: 0.5, saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 20, label: 'red' };
const most = { saturation: 1, value: 1 };

function separateBlobs(
  pixels: Uint32Array,
  width: number,
  inForce: typeof rule,
  marks: readonly BlobMark[],
  highest: BlobWish['most'],
  mark?: typeof markPixels,
) {
  return separated(pixels, width, { rule: inForce, marks, most: highest }, mark);
}

/** Black, with these filled. */
function picture(...patches: readonly (readonly [Place, Rgb])[]): Uint32Array {
  const pixels = new Uint32Array(widthPx * heightPx);
  for (const [[xMin, yMin, xMax, yMax], [red, green, blue]] of patches)
    for (let y = yMin; y <= yMax; y++)
      for (let x = xMin; x <= xMax; x++) pixels[y * widthPx + x] = red + 256 * green + 65536 * blue;
  return pixels;
}
const yes = (box: Place, under = rule): BlobMark => ({ box, isWanted: true, rule: under });
const no = (box: Place, under = rule): BlobMark => ({ box, isWanted: false, rule: under });
const boxesOf = (pixels: Uint32Array, values: object) => {
  const { box, count } = findBlobs(
    markPixels(pixels, widthPx, pixelTest({ ...rule, ...values })),
    widthPx,
    rule.minAreaPx,
  );
  return Array.from({ length: count }, (_, row) => [...box.subarray(4 * row, 4 * row + 4)]);
};

const [left, middle, right]: readonly Place[] = [
  [2, 2, 11, 11],
  [20, 2, 29, 11],
  [40, 2, 49, 11],
];
const red: Rgb = [255, 0, 0];
/** 30°: a tolerance of 0.17 finds it. */
const orange: Rgb = [255, 128, 0];

describe('separateBlobs', () => {
  it('gives the widest tolerance, above or below that in force', () => {
    const pixels = picture([left!, red], [right!, orange]);
    for (const tolerance of [0.5, 0.3]) {
      const found = separateBlobs(pixels, widthPx, { ...rule, tolerance }, [yes(left!), no(right!)], most);
      expect(found).toEqual({ tolerance: 0.16, saturationCutoff: 0.2, valueCutoff: 0.3 });
      expect(boxesOf(pixels, found)).toEqual([left]);
      expect(boxesOf(pixels, { tolerance: 0.17 })).toHaveLength(2);
    }
    const narrow = { ...rule, tolerance: 0.05 };
    expect(separateBlobs(pixels, widthPx, narrow, [yes(left!, narrow), no(right!)], most)).toMatchObject({
      tolerance: 0.16,
    });
  });

  it('keeps what is not marked where it may, and every box that is wanted', () => {
    const pixels = picture([left!, red], [middle!, [255, 90, 0]], [right!, orange]);
    expect(separateBlobs(pixels, widthPx, rule, [yes(left!), yes(middle!), no(right!)], most)).toMatchObject({
      tolerance: 0.16,
    });
    expect(separateBlobs(pixels, widthPx, rule, [yes(left!), no(middle!)], most)).toMatchObject({ tolerance: 0.11 });
  });

  it('never joins a wanted box to its surroundings, though none of them is marked', () => {
    // Orange all around: from 0.17 on the red square is a part of it.
    const pixels = picture([[0, 0, 32, 39], orange], [left!, red], [right!, [0, 255, 0]]);
    const narrow = { ...rule, tolerance: 0.1 };
    const green = { ...rule, tolerance: 0.99 };
    const found = separateBlobs(pixels, widthPx, narrow, [yes(left!, narrow), no(right!, green)], most);
    expect(found).toMatchObject({ tolerance: 0.16 });
  });

  it('raises the saturation cut-off where hues are equal, to the middle of what parts them', () => {
    // Saturations 1 and 0.5.
    const pixels = picture([left!, red], [right!, [200, 100, 100]]);
    const found = separateBlobs(pixels, widthPx, rule, [yes(left!), no(right!)], most);
    expect(found).toEqual({ tolerance: 1, saturationCutoff: 0.74, valueCutoff: 0.3 });
    expect(boxesOf(pixels, found)).toEqual([left]);
  });

  it('raises the value cut-off where saturations are equal too', () => {
    // Values 1 and 0.5.
    const pixels = picture([left!, red], [right!, [128, 0, 0]]);
    const found = separateBlobs(pixels, widthPx, rule, [yes(left!), no(right!)], most);
    expect(found).toMatchObject({ tolerance: 1, saturationCutoff: 0.2 });
    expect((found as { valueCutoff: number }).valueCutoff).toBeCloseTo(0.75, 1);
    expect(boxesOf(pixels, found)).toEqual([left]);
  });

  it('raises both where each leaves one', () => {
    // One is as bright and paler, the other as colourful and darker.
    const pixels = picture([left!, red], [middle!, [255, 128, 128]], [right!, [128, 0, 0]]);
    const found = separateBlobs(pixels, widthPx, rule, [yes(left!), no(middle!), no(right!)], most);
    expect(found).toEqual({ tolerance: 1, saturationCutoff: 0.5, valueCutoff: 0.6 });
    expect(boxesOf(pixels, found)).toEqual([left]);
  });

  it('raises no cut-off past what the machine takes with the colour', () => {
    const pixels = picture([left!, red], [right!, [200, 100, 100]]);
    const found = separateBlobs(pixels, widthPx, rule, [yes(left!), no(right!)], { saturation: 0.45, value: 0.35 });
    expect(found).toEqual({ reason: 'passes', box: right });
  });

  it('names what passes wherever all that is wanted is found', () => {
    const pixels = picture([left!, red], [right!, red], [middle!, orange]);
    expect(separateBlobs(pixels, widthPx, rule, [yes(left!), no(middle!), no(right!)], most)).toEqual({
      reason: 'passes',
      box: right,
    });
  });

  it('names what is lost under every rule', () => {
    const pixels = picture([left!, red]);
    expect(separateBlobs(pixels, widthPx, rule, [yes(left!), yes(right!)], most)).toEqual({
      reason: 'lost',
      box: right,
    });
    expect(separateBlobs(pixels, widthPx, rule, [no(left!), yes(right!)], most)).toEqual({
      reason: 'lost',
      box: right,
    });
  });

  it('counts a piece of an unwanted box as found, however small its share', () => {
    // Half of it is red: where the orange half is gone, 5 columns of it are left.
    const half: Place = [40, 2, 44, 11];
    const pixels = picture([left!, [255, 30, 0]], [right!, orange], [half, red]);
    expect(separateBlobs(pixels, widthPx, rule, [yes(left!), no(right!)], most)).toEqual({
      reason: 'passes',
      box: right,
    });
  });

  it('asks the kernel where there is one', () => {
    const pixels = picture([left!, red], [right!, orange]);
    let asked = 0;
    const mark: typeof markPixels = (...given) => (asked++, markPixels(...given));
    separateBlobs(pixels, widthPx, rule, [yes(left!), no(right!)], most, mark);
    expect(asked).toBeGreaterThan(5);
  });
});
