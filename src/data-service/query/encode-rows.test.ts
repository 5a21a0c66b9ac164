import { deserialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { encodeRow } from './encode-rows.ts';
import type { QueryDocument, QueryValue } from './query-document.ts';
import { packEncodedRows, unpackRows } from './packed-rows.ts';
import { defaultQueryLimits, operatorBounds } from './query-limits.ts';

const bounds = operatorBounds(defaultQueryLimits);
const encoded = (row: QueryDocument) => deserialize(encodeRow(row, bounds), { promoteValues: false });

describe('a row of an answer', () => {
  it.each<[QueryValue, unknown]>([
    [null, null],
    ['text', 'text'],
    [true, true],
    [new Date(5), new Date(5)],
    [new Date(Number.NaN), null],
    [/a\/b/gi, '/a\\/b/gi'],
    [new Uint8Array([0, 255, 16]), 'AP8Q'],
    [new Uint8Array(), ''],
    [
      [1.5, undefined, null, [undefined]],
      [1.5, null, null, [null]],
    ],
    [{ a: { b: new Uint8Array([1]) }, c: undefined }, { a: { b: 'AQ==' } }],
  ])('says %j in plain types', (value, plain) => {
    expect(deserialize(encodeRow({ value }, bounds))).toEqual({ value: plain });
  });

  it('writes whole numbers of 32 bits as such and all others as doubles', () => {
    const { whole, big, half } = encoded({ whole: 2 ** 31 - 1, big: 2 ** 31, half: 0.5 });
    expect([whole, big, half].map((value: { _bsontype: string }) => value._bsontype)).toEqual([
      'Int32',
      'Double',
      'Double',
    ]);
  });

  it('leaves out what is missing', () => {
    expect(deserialize(encodeRow({ a: undefined, b: 1 }, bounds))).toEqual({ b: 1 });
  });

  it('is of at most 16 MiB', () => {
    const tooLarge = { code: 'resource-exhausted', message: 'A row of the answer is larger than 16 MiB.' };
    // a document of one text is its text and 13 bytes more
    const most = 16 * 1024 * 1024 - 13;
    expect(encodeRow({ t: 'x'.repeat(most) }, bounds).length).toBe(16 * 1024 * 1024);
    for (const length of [most + 1, 18 * 1024 * 1024])
      expect(() => encodeRow({ t: 'x'.repeat(length) }, bounds)).toThrow(expect.objectContaining(tooLarge));
  });

  it('holds at most so many values, those that are shared counted at each place', () => {
    const shared = [1, 2, 3];
    const row = { a: shared, b: shared };
    expect(() => encodeRow(row, { ...bounds, documentValues: 8 })).not.toThrow();
    expect(() => encodeRow(row, { ...bounds, documentValues: 7 })).toThrow(
      'A row of the answer holds too many values.',
    );
  });
});

it('bounds what operators make by the memory of a query', () => {
  expect(operatorBounds({ ...defaultQueryLimits, maxMemoryBytes: 1025 })).toEqual({
    stageRows: 5,
    valueLength: 17,
    documentValues: 5,
  });
  expect(defaultQueryLimits).toEqual({ deadlineMs: 30_000, maxRows: 100_000, maxMemoryBytes: 2 ** 29 });
});

it.each([[[]], [[[1, 2], [], [3]]], [[[], [7]]]])('packs rows %j into one buffer and back', (rows) => {
  const packed = packEncodedRows(rows.map((row) => Uint8Array.from(row)));
  expect(packed.bytes).toHaveLength(rows.flat().length);
  expect(unpackRows(packed).map((row) => [...row])).toEqual(rows);
});
