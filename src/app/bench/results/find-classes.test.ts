import { expect, it } from 'vitest';
import { serviceFilter } from '../../../machine/vision/filter/service-filter.ts';
import { findClasses } from './find-classes.ts';

const raw = { labels: ['crane', 'Cat', 'wildcat', 'crane'], score: Float64Array.of(0.1, 0.2, 0.5, 0.3) };

const nameOf = (label: string) => (label === 'crane' ? 'crane (bird?)' : label);

it.each([
  [' CAT', ['1 wildcat kept', '3 Cat dropped']],
  ['crane', ['2 crane kept', '4 crane dropped']],
  ['dog', []],
  ['bird', ['2 crane kept', '4 crane dropped']],
])('finds "%s" with its rank and whether it passes', (text, expected) => {
  const found = findClasses(raw, serviceFilter({ defaultMinimumConfidence: 0.25, labelConfidences: {} }), text, nameOf);
  const shown = found.map(({ label, rank, passes }) => `${rank} ${label} ${passes ? 'kept' : 'dropped'}`);
  expect(shown).toEqual(expected);
});

it('keeps what is not a number last', () => {
  const broken = { labels: ['a', 'b'], score: Float64Array.of(NaN, 0.1) };
  const found = findClasses(broken, serviceFilter({ defaultMinimumConfidence: 0, labelConfidences: {} }), '', nameOf);
  expect(found.map(({ label, passes }) => [label, passes])).toEqual([['b', true], ['a', true]]); // prettier-ignore
});
