import { describe, expect, it } from 'vitest';
import { float32, int64 } from '../../../../tests/fixed-session.ts';
import { detectionsAt } from '../filter/filter-detections.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { decodeDetections, type DetectionDecoding } from './decode-detections.ts';
import { labelTable } from './labels.ts';

/** Two-label detector with a 10×20 input, looking at a 101×201 frame; boxes xmin, ymin, xmax, ymax. */
function decode(tensors: Record<string, Tensor>, decoding: Partial<DetectionDecoding> = {}) {
  return decodeDetections(new Map(Object.entries(tensors)), {
    names: { location: 'location', category: 'category' in tensors ? 'category' : null, score: 'score' },
    labels: labelTable(['cat', 'dog']),
    boxOrder: [0, 1, 2, 3],
    inputWidthPx: 11,
    inputHeightPx: 21,
    frameWidthPx: 101,
    frameHeightPx: 201,
    ...decoding,
  });
}
const boxOf = (location: readonly number[], decoding: Partial<DetectionDecoding> = {}) => [
  ...decode(
    {
      location: { dtype: 'float64', shape: [1, 1, 4], data: Float64Array.from(location) },
      score: float32([1, 1], [0.5]),
    },
    decoding,
  ).box,
];

describe('boxes', () => {
  it.each([
    ['proportional: times width - 1 and height - 1, truncated', [0.1, 0.2, 0.555, 0.777], [10, 40, 55, 155]],
    ['proportional up to a sum just below 4', [0.99, 1, 1, 1], [99, 200, 100, 200]],
    ['proportional, clamped to 0..1', [-0.5, -1, 1.5, 2], [0, 0, 100, 200]],
    ['absolute from a sum of 4 on, in input pixels', [1, 1, 1, 1], [10, 10, 10, 10]],
    ['absolute', [2.5, 5, 7.5, 15], [25, 50, 75, 150]],
    ['absolute, clamped to the last input pixel', [-3, 5, 40, 40], [0, 50, 100, 200]],
    ['reversed corners are swapped', [7.5, 15, 2.5, 5], [25, 50, 75, 150]],
    ['zero area is kept', [0.5, 0.5, 0.5, 0.5], [50, 100, 50, 100]],
    ['an infinite corner is clamped', [0.5, 0.5, -Infinity, -Infinity], [0, 0, 50, 100]],
  ])('%s', (_, location, box) => {
    expect(boxOf(location)).toEqual(box);
  });

  it.each([
    [
      [1, 0, 3, 2],
      [20, 20, 70, 80],
    ],
    [
      [0, 1, 2, 3],
      [10, 40, 40, 140],
    ],
    [
      [2, 3, 0, 1],
      [10, 40, 40, 140],
    ], // min and max exchanged, then swapped back
    [
      [3, 2, 1, 0],
      [20, 20, 70, 80],
    ],
  ] as const)('position p of a row holds coordinate order[p]: %j', (boxOrder, box) => {
    expect(
      boxOf(
        [0.1, 0.2, 0.4, 0.7].map((value) => value + 1e-9),
        { boxOrder },
      ),
    ).toEqual(box);
  });

  it('lets the first box decide for all', () => {
    const score = float32([1, 2], [0.5, 0.5]);
    const small = [0, 0, 1, 1];
    const large = [2, 4, 8, 16];
    const proportional = decode({ location: float32([1, 2, 4], [...small, ...large]), score });
    expect(proportional.boxSpace).toBe('proportional');
    expect([...proportional.box]).toEqual([0, 0, 100, 200, 100, 200, 100, 200]);
    const absolute = decode({ location: float32([1, 2, 4], [...large, ...small]), score });
    expect(absolute.boxSpace).toBe('absolute');
    expect([...absolute.box]).toEqual([20, 40, 80, 160, 0, 0, 10, 10]);
  });

  it('keeps float32 as it is: 0.7f of 100 is 69.99…, so pixel 69', () => {
    expect(decode({ location: float32([1, 1, 4], [0.7, 0, 1, 1]), score: float32([1, 1], [1]) }).box[0]).toBe(69);
  });
});

describe('scores', () => {
  it.each([
    ['as it is', 0.25, 0.25],
    ['float32 widened unrounded', 0.7, Math.fround(0.7)],
    ['below 0 is 0', -0.1, 0],
    ['1 stays', 1, 1],
    ['above 1 is divided by 100', 50, 0.5],
    ['without a limit', 150, 1.5],
    ['NaN stays', NaN, NaN],
  ])('%s', (_, given, expected) => {
    expect(decode({ location: float32([1, 1, 4], [0, 0, 1, 1]), score: float32([1, 1], [given]) }).score[0]).toBe(
      expected,
    );
  });
});

describe('categories', () => {
  const location = float32([1, 2, 4], [0, 0, 1, 1, 0, 0, 0.5, 0.5]);
  const labelsOf = (tensors: Record<string, Tensor>, decoding: Partial<DetectionDecoding> = {}) =>
    detectionsAt(decode({ location, score: float32([1, 2], [0.5, 0.5]), ...tensors }, decoding)).map(
      ({ label }) => label,
    );

  it.each([
    ['int64', int64([1, 2], [1, 0]), ['dog', 'cat']],
    ['float32', float32([1, 2], [1, 0]), ['dog', 'cat']],
    ['truncated', float32([1, 2], [0.9, 1.9]), ['cat', 'dog']],
    ['negative is 0', float32([1, 2], [-7, -0.5]), ['cat', 'cat']],
    ['uint8', { dtype: 'uint8', shape: [2], data: Uint8Array.of(1, 0) } as Tensor, ['dog', 'cat']],
    ['float16 bits', { dtype: 'float16', shape: [1, 2], data: Uint16Array.of(0x3c00, 0) } as Tensor, ['dog', 'cat']],
  ])('%s', (_, category, labels) => {
    expect(labelsOf({ category })).toEqual(labels);
  });

  it('is 0 everywhere without a category tensor and with 2-D scores', () => {
    expect(labelsOf({})).toEqual(['cat', 'cat']);
  });

  it('fails the whole call for one index beyond the list, naming both', () => {
    expect(() => labelsOf({ category: float32([1, 2], [0, 2]) })).toThrow(
      expect.objectContaining({ code: 'label-out-of-range', message: expect.stringMatching(/category 2.*2 entries/) }),
    );
  });

  it.each([
    ['that counts its classes from 1', [1, 2], [0.9, 0.2], 'label-one-beyond'],
    ['of another list', [1, 5], [0.9, 0.2], 'label-out-of-range'],
    ['that has a class 0 too', [0, 2], [0.9, 0.2], 'label-out-of-range'],
    ['whose padding is of class 0', [2, 0], [0.9, 0], 'label-one-beyond'],
  ])('knows a model %s', (_, category, score, code) => {
    expect(() => labelsOf({ category: float32([1, 2], category), score: float32([1, 2], score) })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('takes any index where there is no list', () => {
    expect(labelsOf({ category: float32([1, 2], [0, 17]) }, { labels: labelTable(null) })).toEqual(['0', '17']);
  });
});

describe('categories inside 3-D scores', () => {
  it.each([
    ['last size is the categories', [1, 2, 3], [0.1, 0.7, 0.2, 0.6, 0.3, 0.1], [1, 0], [0.7, 0.6]],
    ['the first maximum wins', [1, 2, 3], [0.4, 0.4, 0.2, 0.1, 0.3, 0.3], [0, 1], [0.4, 0.3]],
    // 4 · 2 columns = 8 box numbers, so the middle size is taken; the runs stay consecutive.
    [
      'middle size where 4 times the last one is the box numbers',
      [1, 3, 2],
      [0.1, 0.7, 0.2, 0.6, 0.3, 0.1],
      [1, 0],
      [0.7, 0.6],
    ],
    ['one category', [1, 2, 1], [0.4, 0.6], [0, 0], [0.4, 0.6]],
    ['one category, of which NaN stays', [1, 2, 1], [NaN, 0.6], [0, 0], [NaN, 0.6]],
    ['one row of scores for all boxes, as the middle size', [1, 1, 2], [0.4, 0.6], [0, 0], [0.4, 0.6]],
    ['a row is no longer than its categories', [1, 2, 2], [0.1, 0.2, 0.9, 0.3], [1, 0], [0.2, 0.9]],
    ['none but NaN', [1, 2, 2], [NaN, NaN, 0.1, 0.2], [0, 1], [0, 0.2]],
    ['NaN never wins', [1, 2, 2], [NaN, 0.2, 0.3, NaN], [1, 0], [0.2, 0.3]],
    ['negative maxima become 0', [1, 2, 3], [-3, -1, -2, -5, -4, -6], [1, 1], [0, 0]],
  ])('%s', (_, shape, values, categories, scores) => {
    const raw = decode(
      { location: float32([1, 2, 4], [0, 0, 1, 1, 0, 0, 1, 1]), score: float32(shape, values) },
      { labels: labelTable(null) },
    );
    expect(detectionsAt(raw).map(({ label }) => Number(label))).toEqual(categories);
    expect([...raw.score]).toEqual(scores.map(Math.fround));
  });

  it('refuses scores that do not divide', () => {
    const uneven = { ...float32([1, 2, 3], [1, 2, 3, 4, 5]) };
    expect(() => decode({ location: float32([1, 1, 4], [0, 0, 1, 1]), score: uneven })).toThrow(
      expect.objectContaining({ code: 'uneven-categories' }),
    );
  });
});

describe('sizes', () => {
  it.each([
    [
      'no box at all',
      { location: float32([1, 0, 4], []), category: float32([1, 0], []), score: float32([1, 0], []) },
      0,
    ],
    [
      'boxes without batch size',
      { location: float32([1, 4], [0, 0, 1, 1]), category: float32([1], [0]), score: float32([1], [0.5]) },
      1,
    ],
  ])('%s', (_, tensors, count) => {
    expect(decode(tensors as Record<string, Tensor>)).toMatchObject({ count, boxSpace: 'proportional' });
  });

  it.each([
    [
      'fewer categories',
      {
        location: float32([1, 2, 4], Array(8).fill(0)),
        category: float32([1, 1], [0]),
        score: float32([1, 2], [0, 0]),
      },
    ],
    [
      'fewer boxes',
      { location: float32([1, 1, 4], [0, 0, 1, 1]), category: float32([1, 2], [0, 0]), score: float32([1, 2], [0, 0]) },
    ],
    ['more boxes', { location: float32([1, 2, 4], Array(8).fill(0)), score: float32([1, 1], [0]) }],
  ])('refuses %s, naming the tensors', (_, tensors) => {
    expect(() => decode(tensors as Record<string, Tensor>)).toThrow(
      expect.objectContaining({ code: 'sizes-mismatch', message: expect.stringContaining('location "location" 1×') }),
    );
  });

  it('says every size that did not match, and where from', () => {
    const tensors = { location: float32([1, 1, 4], [0, 0, 1, 1]), category: float32([1, 3], [0, 0, 0]), score: float32([1, 2], [0, 0]) }; // prettier-ignore
    expect(() => decode(tensors)).toThrow(
      'Output sizes did not match: 2 scores, 3 categories and 4 box numbers (4 a score were expected), ' +
        'from location "location" 1×1×4, category "category" 1×3, score "score" 1×2. Check remap_output_names.',
    );
    expect(() => decode({ location: tensors.location, score: tensors.score })).toThrow(
      'from location "location" 1×1×4, score "score" 1×2. Check',
    );
  });

  it.each([
    ['a label beyond the list', { category: float32([1, 1], [2]) }, 'Box 0 is of category 2, but the label list has 2 entries (0 to 1). '],
    ['text', { score: { dtype: 'string', shape: [1, 1], data: new Uint8Array(1) } as Tensor }, 'Output "score" holds string values; numbers are needed.'],
    ['scores that do not divide', { score: float32([1, 2, 3], [1, 2, 3, 4, 5]) }, '3 categories do not divide the 5 values of "score" 1×2×3. Check remap_output_names.'],
  ])('says what is wrong with %s', (_, tensors, message) => {
    const location = float32([1, 1, 4], [0, 0, 1, 1]);
    expect(() => decode({ location, score: float32([1, 1], [1]), ...tensors })).toThrow(message);
  }); // prettier-ignore

  it('says which output did not come', () => {
    const names = { location: 'boxes', category: null, score: 'score' };
    expect(() => decode({ score: float32([1, 1], [1]) }, { names })).toThrow(
      expect.objectContaining({
        code: 'tensor-not-found',
        message: 'The model did not return its output "boxes" this time.',
      }),
    );
  });

  it('gives as many rows as it counts, and the size of the frame', () => {
    const raw = decode({
      location: float32([1, 2, 4], [NaN, 0, 1, 1, 0, 0, 1, 1]),
      score: float32([1, 2], [0.5, 0.25]),
    });
    expect([raw.count, raw.score.length, raw.box.length, raw.labelIndex.length]).toEqual([1, 1, 4, 1]);
    expect(raw).toMatchObject({ frameWidthPx: 101, frameHeightPx: 201 });
  });

  it('refuses text', () => {
    const words: Tensor = { dtype: 'string', shape: [1, 1], data: new Uint8Array(1) };
    expect(() => decode({ location: float32([1, 1, 4], [0, 0, 1, 1]), score: words })).toThrow(
      expect.objectContaining({ code: 'not-numeric' }),
    );
  });
});

describe('NaN', () => {
  it('drops and counts rows with a NaN coordinate or category, keeps the order of the others', () => {
    const raw = decode({
      location: float32([1, 4, 4], [0, 0, 1, 1, NaN, 0, 1, 1, 0, 0, 0.5, 0.5, 0, 0, 1, 1]),
      category: float32([1, 4], [0, 1, NaN, 1]),
      score: float32([1, 4], [0.1, 0.2, 0.3, 0.4]),
    });
    expect(raw.droppedNaN).toBe(2);
    expect(detectionsAt(raw).map(({ label, score }) => [label, score])).toEqual([
      ['cat', Math.fround(0.1)],
      ['dog', Math.fround(0.4)],
    ]);
  });

  it('makes the boxes absolute when it is in the first one', () => {
    const raw = decode({ location: float32([1, 2, 4], [NaN, 0, 0, 0, 1, 1, 2, 2]), score: float32([1, 2], [1, 1]) });
    expect(raw).toMatchObject({ boxSpace: 'absolute', count: 1, droppedNaN: 1 });
    expect([...raw.box]).toEqual([10, 10, 20, 20]);
  });
});

it('does not sort or suppress', () => {
  const same = [0, 0, 1, 1];
  const raw = decode({
    location: float32([1, 3, 4], [...same, ...same, ...same]),
    score: float32([1, 3], [0.25, 0.75, 0.5]),
  });
  expect([...raw.score]).toEqual([0.25, 0.75, 0.5]);
});
