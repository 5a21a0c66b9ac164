import { serialize } from 'bson';
import { expect, it } from 'vitest';
import { readIndexSpecification } from '../../../../data-service/indexes/index-specification.ts';
import { buildWords, indexSpec, indexWords } from './index-text.ts';

it('is asked for so that the service reads it', () => {
  const fields = [
    { path: 'data.readings.kg', direction: -1 },
    { path: 'time_requested', direction: 1 },
  ] as const;
  expect(readIndexSpecification(indexSpec(fields, ''))).toEqual({
    key: fields,
    name: 'data.readings.kg_-1_time_requested_1',
    options: {},
  });
  expect(readIndexSpecification(indexSpec(fields.slice(0, 1), 'heavy')).name).toBe('heavy');
});

it.each([
  [{ building: { rows: 1200, of: 5000 } }, 'being built: 1,200 of 5,000 rows'],
  [{ building: {} }, 'being built'],
  [null, ''],
])('is told to be built: %j', (state, words) => {
  const parts = indexSpec([{ path: 'a', direction: 1 }], 'n');
  expect(buildWords(state ? [...parts, new TextEncoder().encode(JSON.stringify(state))] : parts)).toBe(words);
});

it.each([
  [indexSpec([{ path: 'a.b', direction: -1 }], 'n'), 'a.b ↓'],
  [[serialize({ key: { a: 1, b: -1 } })], 'a ↑, b ↓'],
  [[serialize({ a: 1 })], 'a ↑'],
  [[], ''],
])('is told in words', (spec, words) => {
  expect(indexWords(spec)).toBe(words);
});
