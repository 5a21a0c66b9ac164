import type { DataStore } from '../ports/data-store.ts';

/**
 * Deletes records first and then their bytes: a host that dies in between leaves bytes for the sweep.
 * Returns how many records were there.
 */
export async function deleteBinary(
  { binary, blobs }: Pick<DataStore, 'binary' | 'blobs'>,
  organizationId: string,
  ids: readonly string[],
): Promise<number> {
  const deleted = await binary.delete(organizationId, ids);
  for (const { blobAddress } of deleted) await blobs.delete(blobAddress);
  return deleted.length;
}
