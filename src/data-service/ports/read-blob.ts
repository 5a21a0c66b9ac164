import type { BlobStore, ByteRange } from './blob-store.ts';
import { notFound } from './store-refusals.ts';

const chunkBytes = 1 << 20;

/**
 * The bytes of a range within a blob (null: all), in chunks of at most 1 MiB. Ending the iteration early closes it.
 *
 * @throws StoreError `not-found`, when reading begins
 */
export async function* readBlob(
  blobs: Pick<BlobStore, 'open'>,
  address: string,
  range: ByteRange | null,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const blob = await blobs.open(address);
  if (blob === null) throw notFound('blob', address);
  try {
    const end = range?.end ?? blob.sizeBytes;
    for (let start = range?.start ?? 0; start < end; start += chunkBytes) {
      yield await blob.read({ start, end: Math.min(end, start + chunkBytes) });
    }
  } finally {
    await blob.close();
  }
}
