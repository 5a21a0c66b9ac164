import type { BinaryEdit, BinaryStore, EditedBinary } from '../ports/binary-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { StoreError } from '../ports/store-error.ts';

/** Edits those of the records that still exist. */
export async function editPresent(
  binary: BinaryStore,
  organizationId: string,
  records: readonly BinaryRecord[],
  edit: BinaryEdit,
): Promise<readonly EditedBinary[]> {
  let ids = records.map(({ id }) => id);
  for (;;) {
    try {
      return await binary.edit(organizationId, ids, edit);
    } catch (error) {
      const gone = error instanceof StoreError && error.code === 'not-found' ? error.subject : '';
      if (!ids.includes(gone)) throw error;
      ids = ids.filter((id) => id !== gone);
    }
  }
}
