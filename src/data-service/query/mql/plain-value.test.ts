import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { describe, expect, it } from 'vitest';
import { plainValue } from './plain-value.ts';

const day = new Date('2026-03-01T00:00:00Z');
const hex = '65f0c0ffee65f0c0ffee65f0';

it.each<[unknown, unknown]>([
  [undefined, null],
  [null, null],
  [5n, 5],
  ['a', 'a'],
  [false, false],
  [
    [1n, [undefined]],
    [1, [null]],
  ],
  [day, day],
  [/a/i, /a/i],
  [new Uint8Array([1]), new Uint8Array([1])],
  [{ a: { b: 1n } }, { a: { b: 1 } }],
  [{}, {}],
  // BSON
  [Long.fromNumber(2 ** 40), 2 ** 40],
  [Decimal128.fromString('1.5'), 1.5],
  [new Double(0.5), 0.5],
  [new Int32(7), 7],
  [new ObjectId(hex), hex],
  [new BSONSymbol('s'), 's'],
  [new Binary(new Uint8Array([1, 2])), Buffer.from([1, 2])],
  [new Timestamp({ t: 60, i: 9 }), new Date(60_000)],
  [new BSONRegExp('^a', 'ims'), /^a/ims],
  [new BSONRegExp('^a'), /^a/],
  // extended JSON
  [{ $date: '2026-03-01T00:00:00Z' }, day],
  [{ $date: day.getTime() }, day],
  [{ $date: { $numberLong: String(day.getTime()) } }, day],
  [{ $date: day }, day],
  [{ $numberInt: '7' }, 7],
  [{ $numberLong: '-7' }, -7],
  [{ $numberDouble: '1e3' }, 1000],
  [{ $numberDouble: '-Infinity' }, -Infinity],
  [{ $numberDouble: 'NaN' }, Number.NaN],
  [{ $numberDecimal: '0.1' }, 0.1],
  [{ $oid: hex }, hex],
  [{ $uuid: 'u' }, 'u'],
  [{ $regularExpression: { pattern: 'a', options: 'i' } }, /a/i],
  [{ $regularExpression: { pattern: 'a' } }, /a/],
  // what only looks like it
  [{ $gt: 5n }, { $gt: 5 }],
  [{ date: '2026' }, { date: '2026' }],
  [
    { $date: '2026', b: 1 },
    { $date: '2026', b: 1 },
  ],
])('makes of %o', (value, plain) => expect(plainValue(value)).toEqual(plain));

describe('refuses', () => {
  it.each<[unknown, string]>([
    [new Code('x'), 'A query may not hold a BSON Code.'],
    [new MaxKey(), 'A query may not hold a BSON MaxKey.'],
    [JSON.parse('{"__proto__": 1}'), 'A field may not be named __proto__.'],
    [{ a: [JSON.parse('{"__proto__": 1}')] }, 'A field may not be named __proto__.'],
    [new BSONRegExp('a', 'x'), 'The option x of the pattern /a/ is not supported; i, m and s are.'],
    [new BSONRegExp('(', 'i'), '/(/i is not a pattern.'],
    [{ $date: 'soon' }, '"soon" is not a date for $date.'],
    [{ $numberLong: 'many' }, '"many" is not a number for $numberLong.'],
    [{ $numberInt: ' ' }, '" " is not a number for $numberInt.'],
    [{ $numberDouble: 5 }, '5 is not a number for $numberDouble.'],
    [{ $oid: 5 }, '$oid takes a text, not 5.'],
    [{ $uuid: null }, '$uuid takes a text, not null.'],
    [{ $regularExpression: 'a' }, '$regularExpression takes {pattern, options}.'],
    [{ $regularExpression: { pattern: 1 } }, '$regularExpression takes {pattern, options}.'],
  ])('%o', (value, message) => {
    expect(() => plainValue(value)).toThrow(expect.objectContaining({ code: 'invalid-query', message }));
  });

  it.each([
    ['documents', (inner: unknown) => ({ a: inner })],
    ['lists', (inner: unknown) => [inner]],
  ])('more than a hundred %s inside one another', (_, wrap) => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : wrap(nested(levels - 1)));
    expect(() => plainValue(nested(100))).not.toThrow();
    expect(() => plainValue(nested(101))).toThrow('The query is nested deeper than 100 levels.');
  });
});
