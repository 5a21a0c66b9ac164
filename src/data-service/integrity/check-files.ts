import type { BinaryRecord } from '../ports/stored-captures.ts';
import type { CheckPosition } from '../ports/check-state.ts';
import { everyFileOf, positionOf, type Position } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import { DamagedFile, openFile, provenBytes } from '../ports/read-file.ts';

type CheckedStores = Pick<DataStore, 'access' | 'binary' | 'blobs'>;

export interface CheckedFile {
  readonly record: BinaryRecord;
  /** null: its bytes are undamaged, or the file was deleted meanwhile */
  readonly damage: DamagedFile | null;
  readonly position: CheckPosition;
}

const pageRecords = 100;
const chunkBytes = 256 * 1024;

/**
 * Compares the bytes of all files with their SHA-256, by organization, oldest first.
 * @param stores records and blobs
 * @param after where to go on; null: start at the beginning
 * @param pace awaited after a number of bytes, so that the check leaves the host time for other work
 * @returns a position and the damage, if any, of each file
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * const checked = checkFiles(memoryDataStore({ now: () => 0 }), null, async () => {});
 * await checked.next(); // => { done: true, value: undefined }
 */
export async function* checkFiles(
  { access, binary, blobs }: CheckedStores,
  after: CheckPosition | null,
  pace: (bytes: number) => Promise<void>,
): AsyncGenerator<CheckedFile, void> {
  const ids = (await access.listOrganizations()).map(({ id }) => id).sort();
  for (const organizationId of ids) {
    if (after !== null && organizationId < after.organizationId) continue;
    const filter = everyFileOf(organizationId);
    let beyond: Position | null = after?.organizationId === organizationId ? after : null;
    for (;;) {
      const records: readonly BinaryRecord[] = await binary.page({
        filter,
        order: 'ascending',
        after: beyond,
        limit: pageRecords,
      });
      for (const record of records) {
        const damage = await checkFile({ binary, blobs }, record, pace);
        yield { record, damage, position: { organizationId, ...positionOf(record) } };
      }
      if (records.length < pageRecords) break;
      beyond = positionOf(records.at(-1)!);
    }
  }
}

/**
 * Compares the bytes of one file with their SHA-256.
 * @param store records and blobs
 * @param record the file's row
 * @param pace awaited after a number of bytes, so that the check leaves the host time for other work
 * @returns the damage; null: the bytes are undamaged, or the file was deleted
 * @example
 * const deleted = { binary: { get: async () => [null] }, blobs: { open: async () => null } };
 * await checkFile(deleted, { id: 'f', organizationId: 'a', blobAddress: 'b' }, async () => {}); // => null
 */
export async function checkFile(
  store: Pick<DataStore, 'binary' | 'blobs'>,
  record: BinaryRecord,
  pace: (bytes: number) => Promise<void>,
): Promise<DamagedFile | null> {
  try {
    const blob = await openFile(store, record);
    if (blob === null) return null;
    try {
      for await (const chunk of provenBytes(blob, record, store.blobs.hash(), chunkBytes)) await pace(chunk.length);
    } finally {
      await blob.close();
    }
    return null;
  } catch (error) {
    if (error instanceof DamagedFile) return error;
    throw error;
  }
}
