import type { SchemaElement } from 'hyparquet-writer';

/** A column of a file: its name, type and values. */
export interface Column<Row> {
  /** the schema of the column: its element, then the nested ones, depth first */
  readonly elements: readonly SchemaElement[];
  readonly valueOf: (row: Row) => unknown;
  /** length of a value in characters, which counts towards `groupCharacters`; absent: too short to be counted */
  readonly sizeOf?: (row: Row) => number;
  /**
   * whether each row group records the minimum and maximum, by which readers skip groups; default: true. The writer has all of them in
   * memory until the file ends.
   */
  readonly statistics?: boolean;
}

/** A row group, which is in memory as a whole, is written once it has this many rows, values or characters. */
const groupRows = 10_000;
const groupValues = 2_000_000;
const groupCharacters = 8 * 2 ** 20;

/** Writes rows as a Parquet file, a row group at a time, with notes about it for whoever reads them. */
export async function* parquetFile<Row>(
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row>,
  notes: Readonly<Record<string, string>> = {},
): AsyncGenerator<Uint8Array, void> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const root: SchemaElement = { name: 'root', num_children: columns.length };
  const schema = [root, ...columns.flatMap(({ elements }) => elements)];
  const kvMetadata = Object.entries(notes).map(([key, value]) => ({ key, value }));
  const file = new ParquetWriter({ writer, schema, ...(kvMetadata.length > 0 && { kvMetadata }) });
  const mostRows = Math.min(groupRows, Math.ceil(groupValues / Math.max(1, columns.length)));
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0; // the buffer begins anew; `offset`, the position in the file, goes on
    return bytes;
  };
  const writeGroup = (group: readonly Row[]): void => {
    const columnData = columns.map(({ elements, valueOf, statistics = true }) => ({
      name: elements[0]!.name,
      data: group.map(valueOf),
      statistics,
    }));
    void file.write({ columnData, rowGroupSize: group.length }); // a ByteWriter writes at once
  };
  let group: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    group.push(row);
    for (const { sizeOf } of columns) characters += sizeOf?.(row) ?? 0;
    if (group.length < mostRows && characters < groupCharacters) continue;
    writeGroup(group);
    [group, characters] = [[], 0];
    yield taken();
  }
  if (group.length > 0) writeGroup(group);
  void file.finish();
  yield taken();
}

export const textElement = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: 'REQUIRED',
});

export const doubleElement = (name: string, repetition_type: 'REQUIRED' | 'OPTIONAL'): SchemaElement => ({
  name,
  type: 'DOUBLE',
  repetition_type,
});

/** In microseconds of UTC; values are bigints. */
export const timeElement = (name: string): SchemaElement => ({
  name,
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  repetition_type: 'REQUIRED',
});

/** A list of texts or of structs, in the three levels of the format (LogicalTypes.md, Lists). */
export const listElements = (name: string, element: readonly SchemaElement[]): SchemaElement[] => [
  { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, repetition_type: 'REQUIRED', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
];

export const structElements = (fields: readonly SchemaElement[]): SchemaElement[] => [
  { name: 'element', repetition_type: 'REQUIRED', num_children: fields.length },
  ...fields,
];
