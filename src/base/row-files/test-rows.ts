import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { serialize } from 'bson';
import { joinDocuments } from './bson-rows.ts';
import { RowFileWriter, type RowFileOptions, type SpareFile } from './row-file-writer.ts';

/** A spare file in memory, which gives its bytes back in pieces that end within rows. */
export function spareInMemory(pieceBytes = 7): SpareFile & { readonly isRemoved: boolean } {
  const parts: Uint8Array[] = [];
  let isRemoved = false;
  return {
    write: (bytes) => void parts.push(bytes),
    async *read() {
      const all = Buffer.concat(parts);
      for (let at = 0; at < all.length; at += pieceBytes) yield all.subarray(at, at + pieceBytes);
    },
    remove: async () => void (isRemoved = true),
    get isRemoved() {
      return isRemoved;
    },
  };
}

/** The file of some rows. */
export async function fileOf(
  rows: readonly object[],
  options: Pick<RowFileOptions, 'format'> & Partial<RowFileOptions>,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  const write = (bytes: Uint8Array): void => void parts.push(bytes);
  const writer = new RowFileWriter({ write, spareFile: async () => spareInMemory(4096), ...options });
  await writer.add(joinDocuments(rows.map((row) => serialize(row, { ignoreUndefined: true }))));
  await writer.finish();
  await writer.close();
  return Buffer.concat(parts);
}

/** The rows, types and row groups of a Parquet file; times are microseconds. */
export async function parquetOf(bytes: Uint8Array) {
  const file = new Uint8Array(bytes).buffer; // a Buffer is a part of some larger one
  const { schema, row_groups: groups, key_value_metadata: notes } = await parquetMetadataAsync(file);
  const parsers = { ...DEFAULT_PARSERS, timestampFromMicroseconds: (micros: bigint) => micros };
  return {
    rows: await parquetReadObjects({ file, utf8: false, parsers: parsers as unknown as typeof DEFAULT_PARSERS }),
    types: Object.fromEntries(schema.slice(1).map(({ name, type, converted_type: as }) => [name, as ?? type])),
    groups: groups.map(({ num_rows: count }) => Number(count)),
    notes: Object.fromEntries((notes ?? []).map(({ key, value }) => [key, value])),
  };
}
