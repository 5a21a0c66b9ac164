import type { DataServiceDependencies } from '../dependencies.ts';

const batchBlobs = 500;

/**
 * Deletes bytes that no record owns: those of a host that died between storing bytes and their row, or between
 * deleting the row and the bytes.
 * @param dependencies the store, by whose time bytes are old
 * @param minAgeMs age of the bytes in milliseconds; it must exceed the longest upload, whose bytes have no row yet
 * @returns how many blobs were deleted
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * await sweepBlobs({ store: memoryDataStore({ now: () => 0 }) }, 3600_000); // => 0
 */
export async function sweepBlobs({ store }: Pick<DataServiceDependencies, 'store'>, minAgeMs: number): Promise<number> {
  const before = (await store.now()) - minAgeMs * 1000;
  let swept = 0;
  let batch: string[] = [];
  const sweepBatch = async (): Promise<void> => {
    const unowned = await store.binary.unownedBlobs(batch);
    for (const address of unowned) await store.blobs.delete(address);
    swept += unowned.length;
    batch = [];
  };
  for await (const { address, timeStored } of store.blobs.list()) {
    if (timeStored < before) batch.push(address);
    if (batch.length === batchBlobs) await sweepBatch();
  }
  await sweepBatch();
  return swept;
}
