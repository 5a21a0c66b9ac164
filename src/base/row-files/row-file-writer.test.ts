import { Binary, Decimal128, Long, ObjectId, serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../evidence/datasets/files/parse-csv.ts';
import { joinDocuments } from './bson-rows.ts';
import { RowFileWriter } from './row-file-writer.ts';
import { mostColumns } from './row-columns.ts';
import { fileOf, parquetOf, spareInMemory } from './test-rows.ts';

const id = new ObjectId('65f0a1b2c3d4e5f607182930');
const rowsOf = async (...rows: readonly object[]) => parquetOf(await fileOf(rows, { format: 'parquet' }));
const csvOf = async (...rows: readonly object[]) => (await fileOf(rows, { format: 'csv' })).toString();
const jsonlOf = async (...rows: readonly object[]) => (await fileOf(rows, { format: 'jsonl' })).toString();

describe('Parquet of rows', () => {
  it.each([
    ['booleans', [true, false], 'BOOLEAN', [true, false]],
    ['whole numbers, also beyond 2^53', [1, Long.fromString('9007199254740993')], 'INT64', [1n, 9007199254740993n]],
    ['numbers', [1, 0.5, NaN, -Infinity, -0], 'DOUBLE', [1, 0.5, NaN, -Infinity, -0]],
    ['texts', ['', 'é\0'], 'UTF8', ['', 'é\0']],
    ['times', [new Date(-1), new Date(8.64e15)], 'TIMESTAMP_MICROS', [-1000n, 8_640_000_000_000_000_000n]],
    ['bytes', [new Binary(new Uint8Array([0, 255]))], 'BYTE_ARRAY', [new Uint8Array([0, 255])]],
    ['ids', [id], 'UTF8', ['65f0a1b2c3d4e5f607182930']],
    ['decimals', [Decimal128.fromString('1.10')], 'UTF8', ['1.10']],
    ['lists and empty documents', [[1, 'a'], {}, []], 'UTF8', ['[1,"a"]', '{}', '[]']],
    ['null alone', [null], 'UTF8', [null]],
  ])('has %s as they are', async (_, values, type, read) => {
    const { rows, types } = await rowsOf({ v: null }, ...values.map((v) => ({ v })));
    expect(types).toEqual({ v: type });
    expect(rows.map(({ v }) => v)).toEqual([null, ...read]);
  });

  it.each([
    ['a number and a text', [5, '5', 2.5], ['5', '"5"', '2.5']],
    [
      'a double and a whole number that no double has',
      [0.5, Long.fromString('9007199254740993')],
      ['0.5', '{"$numberLong":"9007199254740993"}'],
    ],
    ['a time and a text', [new Date(1), 'x'], ['{"$date":"1970-01-01T00:00:00.001Z"}', '"x"']],
    ['an id and a list', [id, [NaN]], [`{"$oid":"${id.toHexString()}"}`, '[{"$numberDouble":"NaN"}]']],
  ])('has a column of %s as JSON, which tells them apart', async (_, values, read) => {
    const { rows, notes } = await rowsOf(...values.map((v) => ({ v })));
    expect(rows.map(({ v }) => v)).toEqual(read);
    expect(JSON.parse(notes['sightglass.columns']!)).toEqual({ v: 'extended JSON' });
  });

  it('has a column for each field of documents, one beside the other, by names that are told apart', async () => {
    const { rows } = await rowsOf({ a: { b: 1, c: { d: 'x' } }, 'a.b': 2, '': 3, '`': 4 }, { a: 5 }, {});
    const none = { 'a.b': null, 'a.c.d': null, '`a.b`': null, '``': null, '````': null, a: null, '{}': null };
    expect(rows).toEqual([
      { ...none, 'a.b': 1n, 'a.c.d': 'x', '`a.b`': 2n, '``': 3n, '````': 4n },
      { ...none, a: 5n },
      { ...none, '{}': '{}' },
    ]);
  });

  it('has times to the microsecond in the columns that are said to have them', async () => {
    const texts = ['2026-03-11T05:00:00Z', '2026-03-11T05:00:00.1Z', '1969-12-31T23:59:59.999999Z'];
    const rows = texts.map((at) => ({ at, said: at }));
    const read = await parquetOf(await fileOf(rows, { format: 'parquet', instants: ['at', 'never'] }));
    const start = BigInt(Date.UTC(2026, 2, 11, 5)) * 1000n;
    expect(read.rows.map(({ at }) => at)).toEqual([start, start + 100_000n, -1n]);
    expect(read.types).toEqual({ at: 'TIMESTAMP_MICROS', never: 'TIMESTAMP_MICROS', said: 'UTF8' });
    const finer = await fileOf([{ at: texts[0] }, { at: '2026-03-11T05:00:00.000000001Z' }], {
      format: 'parquet',
      instants: ['at'],
    });
    expect((await parquetOf(finer)).rows[1]).toEqual({ at: '2026-03-11T05:00:00.000000001Z' });
  });

  it('finds the column of its last row, and the type that fits all', async () => {
    const many: object[] = Array.from({ length: 20_001 }, (_, n) => ({ n }));
    many.push({ n: 'last', late: 1.5 });
    const { rows, groups } = await rowsOf(...many);
    expect(groups).toEqual([10_000, 10_000, 2]);
    expect([rows[0], rows[20_000], rows.at(-1)]).toEqual([
      { n: '0', late: null },
      { n: '20000', late: null },
      { n: '"last"', late: 1.5 },
    ]);
  });

  it('of no rows has none', async () => {
    expect(await rowsOf()).toMatchObject({ rows: [], types: {} });
    const named = await fileOf([], { format: 'parquet', instants: ['time_captured'] });
    expect(await parquetOf(named)).toMatchObject({ rows: [], types: { time_captured: 'TIMESTAMP_MICROS' } });
  });

  it('is refused of rows with too many fields, in words', async () => {
    const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));
    expect((await rowsOf(wide(mostColumns))).rows).toHaveLength(1);
    await expect(rowsOf(wide(mostColumns + 1))).rejects.toThrow('more than 1000 different fields');
    expect((await jsonlOf(wide(mostColumns + 1))).length).toBeGreaterThan(1000);
  });
});

describe('CSV of rows', () => {
  it('has a line of names, and a line a row', async () => {
    const text = await csvOf(
      { at: new Date(0), data: { kg: -1.5, note: 'wet, "cold"\r\n' }, big: Long.fromString('9007199254740993') },
      { at: null, data: { note: '' }, bytes: new Binary(new Uint8Array([0, 255])), id, list: [1, { a: NaN }] },
    );
    expect(text).toBe(
      'at,data.kg,data.note,big,bytes,id,list\r\n' +
        '1970-01-01T00:00:00.000Z,-1.5,"wet, ""cold""\r\n",9007199254740993,,,\r\n' +
        `,,"",,AP8=,${id.toHexString()},"[1,{""a"":{""$numberDouble"":""NaN""}}]"\r\n`,
    );
    expect(parseCsv(text)).toHaveLength(3);
  });

  it('is run by no spreadsheet, unless it is for none', async () => {
    const texts = ['=SUM(A1)', '+1', '@x', '-x', '-1', '\tx', "'=x", 'x=', "'x"];
    const rows = texts.map((t) => ({ '=t': t, n: -5 }));
    expect(parseCsv(await csvOf(...rows)).map(([t]) => t)).toEqual([
      "'=t",
      "'=SUM(A1)",
      "'+1",
      "'@x",
      "'-x",
      '-1',
      "'\tx",
      "''=x",
      'x=',
      "'x",
    ]);
    const exact = await fileOf(rows, { format: 'csv', isForSpreadsheets: false });
    expect(parseCsv(exact.toString()).map(([t]) => t)).toEqual(['=t', ...texts]);
  });

  it('of no rows is empty', async () => {
    expect(await csvOf()).toBe('');
  });
});

describe('JSONL of rows', () => {
  it('is extended JSON, from which every value is read again', async () => {
    expect(
      await jsonlOf(
        { at: new Date(0), n: 1, late: new Date(8.64e15), big: Long.fromString('9007199254740993'), small: Long.ONE },
        { d: Decimal128.fromString('1.10'), id, x: [-0, null, Infinity], b: new Binary(new Uint8Array([1])), e: {} },
      ),
    ).toBe(
      '{"at":{"$date":"1970-01-01T00:00:00Z"},"n":1,"late":{"$date":{"$numberLong":"8640000000000000"}},' +
        '"big":{"$numberLong":"9007199254740993"},"small":1}\n' +
        `{"d":{"$numberDecimal":"1.10"},"id":{"$oid":"${id.toHexString()}"},` +
        '"x":[{"$numberDouble":"-0.0"},null,{"$numberDouble":"Infinity"}],' +
        '"b":{"$binary":{"base64":"AQ==","subType":"00"}},"e":{}}\n',
    );
  });
});

describe('a file that is broken off', () => {
  it('has no end by which a reader takes it for whole, and leaves nothing behind', async () => {
    const parts: Uint8Array[] = [];
    const spare = spareInMemory();
    let left = 1;
    const write = (bytes: Uint8Array): void => {
      if (left-- === 0) throw new Error('The disk is full.');
      parts.push(bytes);
    };
    const writer = new RowFileWriter({ format: 'parquet', write, spareFile: async () => spare });
    await writer.add(joinDocuments(Array.from({ length: 10_001 }, (_, n) => serialize({ n }))));
    await expect(writer.finish()).rejects.toThrow('The disk is full.');
    await writer.close();
    expect(spare.isRemoved).toBe(true);
    await expect(parquetOf(Buffer.concat(parts))).rejects.toThrow(/parquet/i);
  });

  it('tells how far it has come', async () => {
    const told: [number, number][] = [];
    const onProgress = (...counts: [number, number]): void => void told.push(counts);
    await fileOf([{ n: 1 }, { n: 2 }], { format: 'csv', onProgress });
    await fileOf([{ n: 1 }], { format: 'jsonl', onProgress });
    expect([told[0], told.at(-2), told.at(-1)]).toEqual([
      [2, 0],
      [2, 2],
      [1, 1],
    ]);
  });
});
