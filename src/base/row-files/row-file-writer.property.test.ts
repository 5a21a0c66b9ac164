import { EJSON, Binary, Long, type Document } from 'bson';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCsv } from '../../evidence/datasets/files/parse-csv.ts';
import { fileOf, parquetOf } from './test-rows.ts';

// Rows that are read again are the rows that were written, in each format.

const key = fc.oneof(fc.constantFrom('a', 'b', 'a.b', '', '`', '{}'), fc.string({ maxLength: 3 }));
const isKey = (text: string): boolean => !text.includes('\0') && !text.startsWith('$') && text !== '__proto__';
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double(),
  fc.string(),
  fc.constantFrom('=1+1', "'-x", '-5', '1', 'true', '\r\n"'),
  fc.date({ noInvalidDate: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => new Binary(bytes)),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(key.filter(isKey), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const rows = fc.array(fc.dictionary(key.filter(isKey), value, { maxKeys: 4, noNullPrototype: true }), {
  minLength: 1,
  maxLength: 5,
});

/** Extended JSON with one form for each value: a number that a double has is one, whose shortest digits $numberLong may have, and a time is in milliseconds. */
const read = (text: string): unknown =>
  JSON.parse(text, (_, part: Document | string | null) => {
    if (typeof part !== 'object' || part === null) return part;
    if (typeof part['$date'] === 'string') return { $date: Date.parse(part['$date']) };
    const { $numberInt, $numberDouble, $numberLong } = part;
    const isDouble = $numberDouble !== undefined && Number.isFinite(Number($numberDouble)) && $numberDouble !== '-0.0';
    const whole = ($numberInt ?? $numberLong) as string | undefined;
    const isWhole = whole !== undefined && (String(Number(whole)) === whole || BigInt(Number(whole)) === BigInt(whole));
    return isDouble || isWhole ? Number(whole ?? $numberDouble) : part;
  });
const plain = (value: unknown): unknown => read(EJSON.stringify(value, { relaxed: false }));

it('JSONL has every row as it was', () =>
  fc.assert(
    fc.asyncProperty(rows, async (written) => {
      const lines = (await fileOf(written, { format: 'jsonl' })).toString().trimEnd().split('\n');
      expect(lines.map(read)).toEqual(written.map(plain));
    }),
    { seed: 20261130 },
  ));

/** The fields of a row that have no fields of their own, by name, as JSON; null is as good as missing. */
function leavesOf(row: unknown, path: readonly string[] = []): Record<string, unknown> {
  const isDocument = typeof row === 'object' && row !== null && Object.getPrototypeOf(row) === Object.prototype;
  if (isDocument && Object.keys(row).length > 0)
    return Object.assign({}, ...Object.entries(row).map(([name, field]) => leavesOf(field, [...path, name])));
  const told = (name: string) =>
    /[.`]/.test(name) || name === '' || name === '{}' ? `\`${name.replaceAll('`', '``')}\`` : name;
  return row === null ? {} : { [path.length === 0 ? '{}' : path.map(told).join('.')]: row };
}

it('Parquet has every value of every row, under its name', () =>
  fc.assert(
    fc.asyncProperty(rows, async (written) => {
      const { rows: found, notes } = await parquetOf(await fileOf(written, { format: 'parquet' }));
      const types = JSON.parse(notes['sightglass.columns']!) as Record<string, string>;
      const back = (name: string, cell: unknown): unknown => {
        if (types[name] === 'extended JSON') return read(String(cell));
        if (types[name] === 'int64') return plain(Long.fromBigInt(cell as bigint));
        if (types[name] === 'time') return plain(new Date(Number((cell as bigint) / 1000n)));
        return plain(types[name] === 'bytes' ? new Binary(cell as Uint8Array) : cell);
      };
      const known = (row: Record<string, unknown>, of: (name: string, cell: unknown) => unknown) =>
        Object.fromEntries(
          Object.entries(row).flatMap(([name, cell]) => (cell === null ? [] : [[name, of(name, cell)]])),
        );
      expect(found.map((row) => known(row, back))).toEqual(
        written.map((row) => known(leavesOf(row), (_, cell) => plain(cell))),
      );
    }),
    { seed: 20261130 },
  ));

it('CSV has every text of every row, with and without apostrophes', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), scalar), { minLength: 1, maxLength: 5 }), async (written) => {
      const documents = written.map(([text, other]) => ({ text, n: 1, other }));
      const exact = parseCsv((await fileOf(documents, { format: 'csv', isForSpreadsheets: false })).toString());
      const guarded = parseCsv((await fileOf(documents, { format: 'csv' })).toString());
      const texts = written.map(([text]) => text);
      expect(exact.slice(1).map(([text]) => text)).toEqual(texts);
      expect(guarded.slice(1).map(([text]) => text!.replace(/^'(?='*[=+@\t\r-])/, ''))).toEqual(texts);
      expect(exact.slice(1).map(([, , other]) => other)).toEqual(written.map(([, other]) => csvText(other)));
    }),
    { seed: 20261130 },
  ));

function csvText(value: unknown): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Binary) return Buffer.from(value.value()).toString('base64');
  return Object.is(value, -0) ? '-0.0' : String(value);
}
