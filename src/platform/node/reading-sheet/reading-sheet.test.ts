import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tabularRow } from '../../../../tests/contract/data-store/captures.ts';
import type { StructObject, StructValue, TabularRow } from '../../../data-service/ports/stored-captures.ts';
import { encodeSheet, ReadingSheet } from './reading-sheet.ts';

const entryOf = ({ id, timeRequested, timeReceived, timeSynced, tags, sizeBytes, payload, ...row }: TabularRow) => ({
  id,
  timeRequested,
  timeReceived,
  timeSynced,
  tags,
  sizeBytes,
  payload,
  additionalParameters: row.additionalParameters,
  methodParameters: row.methodParameters,
});
const sheetOf = (rows: readonly TabularRow[]) => new ReadingSheet(encodeSheet(rows.map(entryOf)));
const entriesOf = (sheet: ReadingSheet) => Array.from({ length: sheet.count }, (_, row) => sheet.entry(row));

const scalar: fc.Arbitrary<StructValue> = fc.oneof(
  fc.constantFrom<StructValue>(NaN, -0, 0, Infinity, -Infinity, null, true, false, '', '\ud800', 'x,]"', '\0'),
  fc.double(),
  fc.integer(),
  fc.integer({ min: -500, max: 500 }).map((n) => n / 1000),
  fc.string(),
);
const { value } = fc.letrec<{ value: StructValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: scalar },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '', '1', '0', 'a.b', 'constructor', '__proto__'), tie('value'), {
      noNullPrototype: true,
    }) as fc.Arbitrary<StructObject>,
  ),
}));
const payload = fc.dictionary(fc.constantFrom('readings', 'b', '__proto__', 'toString'), value, {
  maxKeys: 3,
  noNullPrototype: true,
});
const time = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.maxSafeInteger(), fc.constant(253_402_300_799_000_000));
const row = fc
  .record({
    payload: payload as fc.Arbitrary<StructObject>,
    timeRequested: time,
    timeReceived: time,
    timeSynced: time,
    sizeBytes: fc.nat(),
    additionalParameters: fc.constantFrom('', '{"n":1}'),
    methodParameters: fc.constantFrom({}, { size: { typeUrl: 't', value: Uint8Array.of(1, 255) } }),
  })
  .chain((changes) => fc.constantFrom('up-000001', 'up-000200', 'one', '').map((id) => tabularRow(id, changes)));

describe('a sheet of readings', () => {
  it('gives back every row as it was, to the bit', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        const sheet = sheetOf(rows);
        // a matcher would take a field named constructor for the class of its object
        expect(isDeepStrictEqual(entriesOf(sheet), rows.map(entryOf))).toBe(true);
        const keys = rows.map(({ payload: of }) => JSON.stringify(of));
        expect(entriesOf(sheet).map(({ payload: of }) => JSON.stringify(of))).toEqual(keys);
      }),
      { seed: 8, numRuns: 400 },
    );
  });

  it.each([
    ['whole numbers', (n: number) => n - 5],
    ['numbers of three decimals', (n: number) => (n * 7 - 200) / 1000],
    ['large whole numbers', (n: number) => n * 1e9],
    ['doubles', (n: number) => Math.sin(n)],
    ['numbers among which one is none', (n: number) => (n === 50 ? NaN : n)],
    ['numbers that are missing now and then', (n: number) => (n % 3 ? n : null)],
    ['few texts', (n: number) => `state ${n % 4}`],
    ['many texts', (n: number) => `text ${n}`],
    ['lists', (n: number) => [n, [n]]],
    ['one value', () => -0],
  ])('gives back %s', (_, of) => {
    const rows = Array.from({ length: 300 }, (_, n) => tabularRow(`r-${n}`, { payload: { readings: { x: of(n) } } }));
    expect(entriesOf(sheetOf(rows))).toStrictEqual(rows.map(entryOf));
  });

  it('reads of payloads what is wanted, in the order in which it is', () => {
    const payloads: StructObject[] = [
      { readings: { a: 1, b: { c: 2, d: 3 }, e: 4 }, other: 5 },
      { readings: { e: [{ a: 1 }] } },
      { readings: 6 },
      {},
    ];
    const sheet = sheetOf(payloads.map((of, n) => tabularRow(`r-${n}`, { payload: of })));
    const tree = new Map([['readings', new Map<string, 'all'>([['e', 'all'], ['b', 'all']])]]); // prettier-ignore
    const picked = sheet.payloads(tree);
    expect(payloads.map((_, n) => JSON.stringify(picked(n)))).toEqual([
      '{"readings":{"e":4,"b":{"c":2,"d":3}}}',
      '{"readings":{"e":[{"a":1}]}}',
      '{"readings":6}',
      '{}',
    ]);
  });

  it('takes a fraction of what its readings take on the wire', () => {
    const rows = Array.from({ length: 1000 }, (_, n) =>
      tabularRow(`c0ffee00-0000-4000-8000-000000000000-${String(n).padStart(6, '0')}`, {
        timeRequested: n * 100_000,
        timeReceived: n * 100_000 + 1500 + (n % 90),
        timeSynced: 1e12,
        payload: { readings: { temperature: Math.round(Math.sin(n) * 1000) / 1000, n, state: ['on', 'off'][n % 2]! } },
      }),
    );
    const wire = JSON.stringify(rows.map(({ payload: of }) => of)).length;
    expect(encodeSheet(rows.map(entryOf)).length).toBeLessThan(wire / 2);
  });

  it('keeps payloads whole that have nothing in common', () => {
    const rows = Array.from({ length: 50 }, (_, n) => tabularRow(`r-${n}`, { payload: { [`name ${n}`]: { n } } }));
    expect(entriesOf(sheetOf(rows))).toStrictEqual(rows.map(entryOf));
    expect(encodeSheet(rows.map(entryOf)).length).toBeLessThan(4000);
  });
});
