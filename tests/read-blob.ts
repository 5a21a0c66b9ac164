import type { BlobStore, ByteRange } from '../src/data-service/ports/blob-store.ts';
import { rangeBytes } from '../src/data-service/ports/range-bytes.ts';
import { notFound } from '../src/data-service/ports/store-refusals.ts';

const chunkBytes = 1 << 20;

/**
 * Reads a range of a blob (null: all) in chunks of at most 1 MiB. Ending the iteration early closes the blob.
 *
 * @throws StoreError `not-found`, at the start of reading
 */
export async function* readBlob(
  blobs: Pick<BlobStore, 'open'>,
  address: string,
  range: ByteRange | null,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const blob = await blobs.open(address);
  if (blob === null) throw notFound('blob', address);
  try {
    yield* rangeBytes(blob, range ?? { start: 0, end: blob.sizeBytes }, chunkBytes);
  } finally {
    await blob.close();
  }
}
