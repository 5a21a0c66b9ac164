import { describe, expect, it } from 'vitest';
import { normalizedBox, toPixels, type AnnotatedBox } from './annotated-box.ts';
import {
  accepted,
  corrected,
  duplicated,
  middleWindow,
  moveBoxes,
  newOnes,
  resizeBox,
  windowBetween,
  withSide,
  type BoxSide,
} from './box-edits.ts';

const size = { widthPx: 200, heightPx: 100 };
function box(corners: readonly number[], part: Partial<AnnotatedBox> = {}): AnnotatedBox {
  const [xMin, yMin, xMax, yMax] = corners as [number, number, number, number];
  const place = normalizedBox({ xMin, yMin, xMax, yMax }, size);
  return { key: 'k', label: 'cup', confidence: null, predicted: false, ...place, ...part };
}
const cornersOf = (of: AnnotatedBox): number[] =>
  Object.values(toPixels(of, size)).map((px) => Math.round(px * 1e6) / 1e6);

describe('corrected', () => {
  const seen = box([10, 10, 50, 40], { confidence: 0.9, predicted: true });
  it('takes a correction for a person’s: no confidence, no prediction', () => {
    expect(corrected(seen, { label: 'mug' })).toEqual({ ...seen, label: 'mug', confidence: null, predicted: false });
    expect(corrected(seen, { xMinNormalized: 0 })).toMatchObject({
      confidence: null,
      predicted: false,
      xMinNormalized: 0,
    });
  });
  it('leaves alone what does not change', () => {
    expect(corrected(seen, { label: 'cup', xMinNormalized: seen.xMinNormalized })).toBe(seen);
  });
  it('is not what accepting is', () => {
    expect(accepted(seen)).toEqual({ ...seen, predicted: false });
  });
});

describe('moveBoxes', () => {
  it.each([
    ['by whole pixels', [[10, 10, 50, 40]], 3.4, -2, [[13, 8, 53, 38]]],
    ['to the edge and no further', [[10, 10, 50, 40]], -40, 90, [[0, 70, 40, 100]]],
    [
      'together, keeping their distances',
      [
        [10, 10, 50, 40],
        [60, 20, 195, 50],
      ],
      30,
      0,
      [
        [15, 10, 55, 40],
        [65, 20, 200, 50],
      ],
    ],
    ['a box between pixels keeps its fraction', [[10.25, 10, 50.25, 40]], 1, 0, [[11.25, 10, 51.25, 40]]],
  ])('%s', (_, boxes, x, y, expected) => {
    expect(
      moveBoxes(
        boxes.map((corners) => box(corners)),
        x,
        y,
        size,
      ).map(cornersOf),
    ).toEqual(expected);
  });
  it('changes nothing at the wall', () => {
    const boxes = [box([0, 0, 50, 40])];
    expect(moveBoxes(boxes, -5, 0, size)).toBe(boxes);
  });
});

describe('resizeBox', () => {
  it.each([
    ['e', 10, 99, [10, 10, 60, 40]],
    ['s', 99, 10, [10, 10, 50, 50]],
    ['nw', -99, -99, [0, 0, 50, 40]],
    ['e', -99, 0, [10, 10, 11, 40]],
    ['se', 999, 999, [10, 10, 200, 100]],
  ] as const)('%s by %d, %d', (handle, x, y, expected) => {
    expect(cornersOf(resizeBox(box([10, 10, 50, 40]), handle, x, y, size))).toEqual(expected);
  });
});

describe('withSide', () => {
  it.each<[BoxSide, number, number[]]>([
    ['x', 20, [20, 10, 60, 40]],
    ['x', 180, [160, 10, 200, 40]],
    ['y', -3, [10, 0, 50, 30]],
    ['width', 5.5, [10, 10, 15.5, 40]],
    ['width', 0, [10, 10, 11, 40]],
    ['height', 500, [10, 10, 50, 100]],
  ])('%s = %d', (side, px, expected) => {
    expect(cornersOf(withSide(box([10, 10, 50, 40]), side, px, size))).toEqual(expected);
  });
});

describe('duplicated', () => {
  const keys = () => 'copy';
  it('lies beside its original, and is a person’s', () => {
    const [copy] = duplicated([box([10, 10, 50, 40], { confidence: 0.8 })], size, keys);
    expect([copy!.key, copy!.confidence, cornersOf(copy!)]).toEqual(['copy', null, [20, 20, 60, 50]]);
  });
  it('goes the other way in the lower right corner', () => {
    const [copy] = duplicated([box([150, 60, 200, 100])], size, keys);
    expect(cornersOf(copy!)).toEqual([140, 50, 190, 90]);
  });
});

describe('windowBetween', () => {
  it.each([
    [{ x: 10.4, y: 10.6 }, { x: 20, y: 30 }, [10, 11, 20, 30]],
    [{ x: 20, y: 30 }, { x: 10, y: 10 }, [10, 10, 20, 30]],
    [{ x: -50, y: 10 }, { x: 900, y: 900 }, [0, 10, 200, 100]],
    [{ x: 10, y: 10 }, { x: 10.2, y: 50 }, null],
    [{ x: 300, y: 10 }, { x: 400, y: 50 }, null],
  ])('%o to %o', (from, to, expected) => {
    const window = windowBetween(from, to, size);
    expect(window && Object.values(window)).toEqual(expected);
  });
});

it('adds a box in the middle, of at least a pixel', () => {
  expect(middleWindow(size)).toEqual({ xMin: 75, yMin: 37, xMax: 125, yMax: 62 });
  expect(middleWindow({ widthPx: 1, heightPx: 1 })).toEqual({ xMin: 0, yMin: 0, xMax: 1, yMax: 1 });
});

it('leaves out predictions of what has a box of that label already', () => {
  const there = [box([10, 10, 50, 40])];
  const again = box([11, 10, 50, 40]);
  const otherLabel = box([11, 10, 50, 40], { label: 'plate' });
  const elsewhere = box([30, 10, 70, 40]);
  expect(newOnes([again, otherLabel, elsewhere], there)).toEqual([otherLabel, elsewhere]);
});
