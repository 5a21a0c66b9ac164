import { Long } from 'bson';
import { expect, it } from 'vitest';
import { columnsOf, valueAt, valueNumber, valueText } from './document-columns.ts';

const rows = [
  { at: new Date(0), data: { readings: { kg: 1.5, ok: true } }, tags: ['a'] },
  { at: new Date(1), data: { readings: { kg: null, note: 'wet', ok: 3 } }, tags: [], empty: {} },
];

it('flattens documents to columns, in the order they are met, with the types of their values', () => {
  expect(columnsOf(rows).map(({ path, types }) => [path, types])).toEqual([
    ['at', ['date']],
    ['data.readings.kg', ['number']],
    ['data.readings.ok', ['yes/no', 'number']],
    ['tags', ['list']],
    ['data.readings.note', ['text']],
    ['empty', ['document']],
  ]);
});

it('finds a value by its keys, not by its dots', () => {
  const [kg] = columnsOf([{ 'a.b': { 'c.d': 7 } }]);
  expect(kg!.path).toBe('a.b.c.d');
  expect(valueAt({ 'a.b': { 'c.d': 7 } }, kg!)).toBe(7);
  expect(valueAt({ a: { b: { c: { d: 7 } } } }, kg!)).toBeUndefined();
  expect(valueAt({ x: { y: 1 } }, { keys: ['x'] })).toBeUndefined();
});

it.each([
  [undefined, '', null],
  [null, 'null', null],
  [1.5, '1.5', 1.5],
  [true, 'true', 1],
  ['wet', 'wet', null],
  [new Date(1500), '1970-01-01T00:00:01.500Z', 1.5],
  [new Date(Number.NaN), 'no date', null],
  [Long.fromString('9007199254740993'), '9007199254740993', 9007199254740992],
  [[1, { a: new Date(0) }], '[1,{"a":{"$date":"1970-01-01T00:00:00Z"}}]', null],
  [Number.POSITIVE_INFINITY, 'Infinity', null],
])('%j is %s as text', (value, text, number) => {
  expect(valueText(value)).toBe(text);
  expect(valueNumber(value)).toBe(number);
});
