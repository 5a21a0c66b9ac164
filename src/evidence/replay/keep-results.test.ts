import { expect, it } from 'vitest';
import { storedColumns } from '../../../tests/stored-columns.ts';
import type { ServiceFilterRule } from '../../machine/vision/filter/thresholds.ts';
import { keepResults } from './keep-results.ts';

const columns = storedColumns(
  [[0, [0, 0.4], [1, 0.5]], [200], [400, [2, Math.fround(0.7)], [0, 0.7], [1, NaN]]],
  ['cat', 'dog', 'Cat'],
);

it.each<[string, ServiceFilterRule, readonly number[]]>([
  ['everything without a filter, also scores that are no numbers', rule(0), [0, 1, 2, 3, 4]],
  ['what reaches the default', rule(0.5), [1, 2, 3]],
  ['doubles as they are: float32’s 0.7 is below 0.7', rule(0.7), [3]],
  ['listed labels alone, whatever their case', rule(0.9, { CAT: 0.4 }), [0, 2, 3]],
])('keeps %s', (_, filter, kept) => {
  expect([...keepResults(columns, filter)]).toEqual(kept);
});

function rule(defaultMinimumConfidence: number, labelConfidences: Readonly<Record<string, number>> = {}) {
  return { defaultMinimumConfidence, labelConfidences };
}
