import type { DataStore } from '../ports/data-store.ts';

/**
 * Deletes records first and then their bytes: if the host dies in between, the sweep deletes the bytes. Returns how
 * many records were deleted.
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
