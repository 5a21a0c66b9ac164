import type { SchemaElement } from 'hyparquet-writer';
import { doubleElement, parquetFile, textElement, timeElement, type Column } from './parquet-file.ts';
import type { RowColumn, RowColumns } from './row-columns.ts';
import { bytesOf, jsonText, type Row, type ValueKind } from './row-values.ts';

/** The type of a column's values in Parquet. */
interface ColumnType {
  /** in the file's own note of its columns */
  readonly name: string;
  readonly element: (name: string) => SchemaElement;
  readonly encode: (value: unknown) => unknown;
}

const plainElement =
  (type: 'BOOLEAN' | 'INT64' | 'BYTE_ARRAY') =>
  (name: string): SchemaElement => ({ name, type, repetition_type: 'OPTIONAL' });
const optional =
  (element: (name: string) => SchemaElement) =>
  (name: string): SchemaElement => ({ ...element(name), repetition_type: 'OPTIONAL' });
const textType = (name: string, encode: (value: unknown) => unknown): ColumnType => ({
  name,
  element: optional(textElement),
  encode,
});
const timeType = (encode: (value: unknown) => bigint): ColumnType => ({
  name: 'time',
  element: optional(timeElement),
  encode,
});

const types = {
  boolean: { name: 'boolean', element: plainElement('BOOLEAN'), encode: (value) => value },
  whole: { name: 'int64', element: plainElement('INT64'), encode: (value) => BigInt(String(value)) },
  double: { name: 'double', element: (name) => doubleElement(name, 'OPTIONAL'), encode: (value) => value },
  time: timeType((value) => BigInt((value as Date).getTime()) * 1000n),
  instant: timeType((value) => microsOf(value as string)),
  text: textType('text', (value) => value),
  id: textType('ObjectId', String),
  decimal: textType('Decimal128', String),
  bytes: { name: 'bytes', element: plainElement('BYTE_ARRAY'), encode: bytesOf },
  json: textType('extended JSON', jsonText),
} as const satisfies Readonly<Record<string, ColumnType>>;

/** The one type that has every value of these kinds as it is; else each value is written as JSON. */
function typeOf({ kinds, hasInstants }: RowColumn): ColumnType {
  const all = (...some: readonly ValueKind[]): boolean => [...kinds].every((kind) => some.includes(kind));
  if (kinds.size === 0) return hasInstants ? types.instant : types.text;
  if (all('whole', 'wide')) return types.whole;
  if (all('whole', 'double')) return types.double;
  if (all('instant', 'text') && kinds.size > 1) return types.text;
  const [only] = kinds;
  return kinds.size === 1 && only !== 'wide' ? types[only!] : types.json;
}

/** Microseconds since 1970 of a time that `RowColumns` calls an instant. */
function microsOf(text: string): bigint {
  const [, seconds, fraction = ''] = /^([^.Z]*)(?:\.(\d+))?Z$/.exec(text)!;
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** A column with a longer text gets no minimum and maximum: they stay in memory until the file ends, and hardly help to skip row groups. */
const longestCompared = 256;

type Values = readonly unknown[];

function parquetColumn(column: RowColumn, index: number): Column<Values> {
  const { name, kinds, longestText } = column;
  const { element, encode } = typeOf(column);
  return {
    elements: [element(name)],
    valueOf: (values) => values[index],
    sizeOf: (values) => lengthOf(values[index]),
    statistics: !kinds.has('bytes') && encode !== jsonText && longestText <= longestCompared,
  };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

/**
 * Rows as a Parquet file, a row group at a time.
 * @param columns those of all rows
 */
export function parquetRows(columns: RowColumns, rows: AsyncIterable<Row>): AsyncGenerator<Uint8Array, void> {
  const encoders = columns.columns.map((column) => typeOf(column).encode);
  async function* encoded(): AsyncGenerator<Values> {
    for await (const row of rows)
      yield columns
        .valuesOf(row)
        .map((value, index) => (value === undefined || value === null ? null : encoders[index]!(value)));
  }
  const told = Object.fromEntries(columns.columns.map((column) => [column.name, typeOf(column).name]));
  return parquetFile(columns.columns.map(parquetColumn), encoded(), { 'sightglass.columns': JSON.stringify(told) });
}
