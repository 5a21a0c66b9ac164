import type { ListedBlob } from '../ports/blob-store.ts';
import type { DataStore } from '../ports/data-store.ts';

/** No upload lasts longer than a day: older bytes without a row are what was left of one, or of a delete. They are swept. */
export const orphanAgeMs = 24 * 60 * 60 * 1000;

const batchBlobs = 500;

/**
 * Finds bytes that no record owns.
 * @param store records and blobs
 * @param isAsked which of the blobs to ask for; others are left out
 * @returns the blobs without a record, in no order
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * const unowned = unownedBlobs(memoryDataStore({ now: () => 0 }), () => true);
 * await unowned.next(); // => { done: true, value: undefined }
 */
export async function* unownedBlobs(
  { binary, blobs }: Pick<DataStore, 'binary' | 'blobs'>,
  isAsked: (blob: ListedBlob) => boolean,
): AsyncGenerator<ListedBlob, void> {
  let batch: ListedBlob[] = [];
  const unownedOfBatch = async (): Promise<readonly ListedBlob[]> => {
    const unowned = new Set(await binary.unownedBlobs(batch.map(({ address }) => address)));
    const found = batch.filter(({ address }) => unowned.has(address));
    batch = [];
    return found;
  };
  for await (const blob of blobs.list()) {
    if (isAsked(blob)) batch.push(blob);
    if (batch.length === batchBlobs) yield* await unownedOfBatch();
  }
  yield* await unownedOfBatch();
}
