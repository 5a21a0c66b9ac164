import type { ByteRange, OpenBlob } from './blob-store.ts';

/** The bytes of a range within an open blob, in chunks. */
export async function* rangeBytes(
  blob: OpenBlob,
  range: ByteRange,
  ofBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let start = range.start; start < range.end; start += ofBytes) {
    yield await blob.read({ start, end: Math.min(range.end, start + ofBytes) });
  }
}
