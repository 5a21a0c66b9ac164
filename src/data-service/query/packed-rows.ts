/** Many documents in two buffers: they cross a worker boundary by transfer, not one by one. */
export interface PackedRows {
  readonly bytes: Uint8Array;
  /** where each document ends in `bytes` */
  readonly ends: Uint32Array;
}

export function packEncodedRows(rows: readonly Uint8Array[]): PackedRows {
  const ends = new Uint32Array(rows.length);
  let length = 0;
  for (const [index, row] of rows.entries()) ends[index] = length += row.length;
  const bytes = new Uint8Array(length);
  for (const [index, row] of rows.entries()) bytes.set(row, ends[index]! - row.length);
  return { bytes, ends };
}

/** The documents, as views of the one buffer. */
export function unpackRows({ bytes, ends }: PackedRows): Uint8Array[] {
  return Array.from(ends, (end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}
