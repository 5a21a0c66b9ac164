import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawDetections } from '../results/detections.ts';
import { detectionsAt, dropOf, dropText, filterDetections, rowsOf, writeKeptRows } from './filter-detections.ts';
import { labelInterner } from './intern-labels.ts';
import {
  ruleInForce,
  serviceThresholds,
  stepThresholds,
  thresholdsByTable,
  type ServiceFilterRule,
} from './thresholds.ts';

const labels = ['Cat', 'dog', 'BIRD'];

function raw(rows: readonly (readonly [labelIndex: number, score: number])[]): RawDetections {
  return {
    count: rows.length,
    labels,
    labelIndex: Uint32Array.from(rows, ([index]) => index),
    score: Float64Array.from(rows, ([, score]) => score),
    box: Int32Array.from(rows.flatMap((_, i) => [i, i, i + 1, i + 2])),
    frameWidthPx: 100,
    frameHeightPx: 100,
    boxSpace: 'proportional',
    droppedNaN: 0,
  };
}
const rule = (defaultMinimumConfidence: number, labelConfidences: Record<string, number> = {}): ServiceFilterRule => ({
  defaultMinimumConfidence,
  labelConfidences,
});
const keptOf = (detections: RawDetections, filter: ServiceFilterRule) => [
  ...filterDetections(detections, serviceThresholds(labels, filter)).kept,
];

describe("the service's filter", () => {
  const rows = raw([
    [0, 0.5],
    [1, 0.7],
    [2, 0],
    [1, NaN],
    [0, 1.5],
  ]);
  it.each([
    ['default 0 is no filter, NaN included', rule(0), [0, 1, 2, 3, 4]],
    ['default keeps >=', rule(0.5), [0, 1, 4]],
    ['default above every score', rule(2), []],
    ['a negative default filters: only NaN goes', rule(-1), [0, 1, 2, 4]],
    ['label_confidences alone decides, in any case', rule(0.9, { cAt: 0.5, DOG: 0.7 }), [0, 1, 4]],
    ['a label that is not listed is dropped', rule(0, { bird: 0 }), [2]],
    ['a listed 0 keeps everything of the label but NaN', rule(0, { dog: 0 }), [1]],
    ['only unknown labels listed: nothing is left', rule(0, { person: 0 }), []],
  ])('%s', (_, filter, kept) => {
    expect(keptOf(rows, filter)).toEqual(kept);
  });

  it('drops 0.7 of a float32 model at a threshold of 0.7', () => {
    expect(keptOf(raw([[0, Math.fround(0.7)]]), rule(0.7))).toEqual([]);
  });

  it('drops an infinite score of a label that is not listed', () => {
    expect(keptOf(raw([[0, Infinity]]), rule(0, { dog: 0 }))).toEqual([]);
  });

  it.each([
    [rule(0), 'none'],
    [rule(0.1), 'default_minimum_confidence'],
    [rule(0.1, { cat: 0 }), 'label_confidences'],
  ])('%j: %s is in force', (filter, inForce) => {
    expect(ruleInForce(filter)).toBe(inForce);
  });
});

describe("a step's filter", () => {
  const rows = raw([
    [0, 0.5],
    [1, 0.7],
    [2, 0],
    [1, NaN],
  ]);
  it.each([
    ['0 and no labels keep all numbers', 0, [], [0, 1, 2]],
    ['confidence keeps >=', 0.5, [], [0, 1]],
    ['valid labels, in any case', 0, ['CAT', 'bird'], [0, 2]],
    ['both', 0.6, ['cat', 'dog'], [1]],
  ])('%s', (_, confidenceThreshold, validLabels, kept) => {
    const thresholds = stepThresholds(labels, { confidenceThreshold, validLabels });
    expect([...filterDetections(rows, thresholds).kept]).toEqual(kept);
  });
});

describe('reasons', () => {
  const rows = raw([
    [0, 0.41],
    [2, 0.9],
    [0, 0.549],
    [0, Math.fround(0.55)],
    [0, NaN],
    [0, 0.56],
  ]);
  const thresholds = serviceThresholds(labels, rule(0, { cat: 0.55 }));
  it.each([
    [0, 'below-threshold', '0.41 < 0.55'],
    [1, 'label-not-listed', 'label not in label_confidences'],
    [2, 'below-threshold', '0.549 < 0.550'],
    [4, 'below-threshold', 'score is not a number'],
  ])('row %i: %s, "%s"', (row, reason, text) => {
    const drop = dropOf(rows, row, thresholds)!;
    expect(drop.reason).toBe(reason);
    expect(dropText(drop)).toBe(text);
  });

  it('shows the digits that float32 rounding lost', () => {
    const drop = dropOf(raw([[0, Math.fround(0.7)]]), 0, serviceThresholds(labels, rule(0.7)))!;
    expect(dropText(drop)).toBe('0.69999999 < 0.70000000');
  });

  it.each([
    [0.485, '0.289 < 0.485'],
    [0.3, '0.29 < 0.30'],
    [0.30000001192, '0.289000 < 0.300000'],
    [1, '0.29 < 1.00'],
  ])('shows a threshold of %d as it is written', (threshold, text) => {
    expect(dropText({ reason: 'below-threshold', score: 0.289, threshold })).toBe(text);
  });

  it('is null for rows that are kept', () => {
    expect(dropOf(rows, 3, thresholds)).toBeNull(); // 0.55 rounds up in float32
    expect(dropOf(rows, 5, thresholds)).toBeNull();
  });

  it('names the list of a step', () => {
    expect(dropText({ reason: 'label-not-listed', score: 1, threshold: Infinity }, 'valid_labels')).toBe(
      'label not in valid_labels',
    );
  });
});

const anyRows = fc.array(
  fc.tuple(fc.nat(2), fc.oneof(fc.double({ min: 0, max: 1.5, noNaN: true }), fc.constant(NaN))),
  { maxLength: 40 },
);
const anyRule = fc.record({
  defaultMinimumConfidence: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
  labelConfidences: fc.dictionary(
    fc.constantFrom('cat', 'CAT', 'Dog', 'bird', 'person'),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ),
});

it('equals the filter written out row by row', () => {
  fc.assert(
    fc.property(anyRows, anyRule, (rows, filter) => {
      const listed = Object.entries(filter.labelConfidences);
      const naive = rows.flatMap(([index, score], row) => {
        const least = listed.findLast(([label]) => label.toLowerCase() === labels[index]!.toLowerCase())?.[1];
        const keep =
          listed.length > 0
            ? least !== undefined && score >= least
            : filter.defaultMinimumConfidence === 0 || score >= filter.defaultMinimumConfidence;
        return keep ? [row] : [];
      });
      const detections = raw(rows);
      const thresholds = serviceThresholds(labels, filter);
      const { kept, dropped } = filterDetections(detections, thresholds);
      expect([...kept]).toEqual(naive);
      expect([...kept, ...dropped].sort((a, b) => a - b)).toEqual(rows.map((_, row) => row));
      expect([...dropped].every((row) => dropOf(detections, row, thresholds) !== null)).toBe(true);
    }),
    { seed: 20261130 },
  );
});

it('writes row numbers into memory that it is given, and counts them', () => {
  const memory = new Uint32Array(10).fill(99);
  const count = writeKeptRows(
    raw([
      [0, 0.9],
      [0, 0.1],
      [1, 0.8],
    ]),
    serviceThresholds(labels, rule(0.5)),
    memory,
  );
  expect([count, ...memory.subarray(0, 3)]).toEqual([2, 0, 2, 99]);
});

it('picks rows out as the machine reports them, and as a table', () => {
  const detections = raw([
    [0, 0.9],
    [2, 0.25],
  ]);
  const expected = [{ label: 'BIRD', score: 0.25, xMin: 1, yMin: 1, xMax: 2, yMax: 3 }];
  expect(detectionsAt(detections, Uint32Array.of(1))).toEqual(expected);
  const picked = rowsOf(detections, Uint32Array.of(1));
  expect(picked.count).toBe(1);
  expect(detectionsAt(picked, Uint32Array.of(0))).toEqual(expected);
});

it('picks rows in the order given, each with its own box', () => {
  const detections = {
    ...raw([[0, 0.5], [1, 0.25], [2, 0.75]]),
    box: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
  }; // prettier-ignore
  const last = { label: 'BIRD', score: 0.75, xMin: 9, yMin: 10, xMax: 11, yMax: 12 };
  const middle = { label: 'dog', score: 0.25, xMin: 5, yMin: 6, xMax: 7, yMax: 8 };
  expect(detectionsAt(detections, Uint32Array.of(2, 1))).toEqual([last, middle]);
  const picked = rowsOf(detections, Uint32Array.of(2, 1));
  expect(picked.box).toEqual(Int32Array.of(9, 10, 11, 12, 5, 6, 7, 8));
  expect(detectionsAt(picked)).toEqual([last, middle]);
});

it('keeps NaN of the only label where nothing filters', () => {
  const detections = { ...raw([[0, NaN]]), labels: ['Cat'] };
  expect([...filterDetections(detections, serviceThresholds(['Cat'], rule(0))).kept]).toEqual([0]);
});

it('shows seventeen decimals at most', () => {
  const zeros = `0.${'0'.repeat(17)}`;
  expect(dropText({ reason: 'below-threshold', score: 1e-20, threshold: 2e-20 })).toBe(`${zeros} < ${zeros}`);
});

it('works thresholds out once for each table, whichever copy of it arrives', () => {
  let worked = 0;
  const thresholdsFor = thresholdsByTable((table) => {
    worked++;
    return serviceThresholds(table, rule(0.5));
  });
  const intern = labelInterner();
  const first = thresholdsFor(intern(['a', 'b']));
  expect(thresholdsFor(intern(['a', 'b']))).toBe(first);
  expect(thresholdsFor(intern(['a,b']))).toHaveLength(1);
  expect(worked).toBe(2);
});
