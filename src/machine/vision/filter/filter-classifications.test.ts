import { describe, expect, it } from 'vitest';
import { filterClassifications, filterStepClassifications, topClassifications } from './filter-classifications.ts';

const raw = { labels: ['a', 'B', 'c', 'd'], score: Float64Array.of(0.2, 0.5, 0.2, 0.1) };
const labelsOf = (classifications: readonly { label: string }[]) => classifications.map(({ label }) => label).join('');
const rule = (defaultMinimumConfidence: number, labelConfidences: Record<string, number> = {}) => ({
  defaultMinimumConfidence,
  labelConfidences,
});

describe('filterClassifications', () => {
  it.each([
    ['n = 0: all, in label order', rule(0), 0, 'aBcd'],
    ['n < 0: all, in label order', rule(0), -3, 'aBcd'],
    ['n > 0: falling score, ties in label order', rule(0), 3, 'Bac'],
    ['n beyond the end: all, sorted', rule(0), 9, 'Bacd'],
    ['the filter comes before the top n', rule(0, { c: 0.2, d: 0.1 }), 1, 'c'],
    ['label_confidences in any case, unlisted labels dropped', rule(0.9, { b: 0.5, A: 0.3 }), 0, 'B'],
    ['default keeps >=', rule(0.2), 0, 'aBc'],
    ['filter, then all', rule(0.15), -1, 'aBc'],
  ])('%s', (_, filter, n, expected) => {
    expect(labelsOf(filterClassifications(raw, filter, n))).toBe(expected);
  });

  it('drops an infinite score of a label that is not listed', () => {
    const infinite = { labels: ['a', 'b'], score: Float64Array.of(Infinity, 0.5) };
    expect(labelsOf(filterClassifications(infinite, rule(0, { b: 0 }), 0))).toBe('b');
    const step = [{ label: 'a', score: Infinity }, { label: 'b', score: 0.5 }]; // prettier-ignore
    expect(labelsOf(filterStepClassifications(step, { confidenceThreshold: 0, validLabels: ['b'] }))).toBe('b');
  });

  it('keeps NaN where nothing filters, and sorts it last', () => {
    const withNaN = { labels: ['a', 'b', 'c'], score: Float64Array.of(NaN, 0.1, 0.9) };
    expect(labelsOf(filterClassifications(withNaN, rule(0), 3))).toBe('cba');
    expect(labelsOf(filterClassifications(withNaN, rule(0.05), 3))).toBe('cb');
    const several = { labels: ['a', 'b', 'c', 'd'], score: Float64Array.of(NaN, 0.1, NaN, 0.1) };
    expect(labelsOf(filterClassifications(several, rule(0), 4))).toBe('bdac');
  });
});

it('does not reorder what it is given', () => {
  const given = [
    { label: 'a', score: 0.1 },
    { label: 'b', score: 0.2 },
  ];
  expect(labelsOf(topClassifications(given, 2))).toBe('ba');
  expect(labelsOf(given)).toBe('ab');
});

describe('filterStepClassifications', () => {
  const top = [
    { label: 'B', score: 0.5 },
    { label: 'a', score: 0.2 },
    { label: 'x', score: NaN },
  ];
  it.each([
    [0, [], 'Ba'],
    [0.5, [], 'B'],
    [0, ['A'], 'a'],
    [0.3, ['a'], ''],
  ])('confidence_threshold %d, valid_labels %j keep "%s"', (confidenceThreshold, validLabels, expected) => {
    expect(labelsOf(filterStepClassifications(top, { confidenceThreshold, validLabels }))).toBe(expected);
  });
});
