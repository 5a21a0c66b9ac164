import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { unownedBlobs } from '../integrity/unowned-blobs.ts';

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
  for await (const { address } of unownedBlobs(store, ({ timeStored }) => timeStored < before)) {
    await store.blobs.delete(address);
    swept++;
  }
  return swept;
}
