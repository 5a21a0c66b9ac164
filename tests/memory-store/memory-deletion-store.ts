import type { DeletionStore } from '../../src/data-service/ports/deletion-store.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';
import type { Tables } from './tables.ts';

export const memoryDeletionStore = ({ deletions }: Tables): DeletionStore => ({
  async put(deletion) {
    deletions.set(deletion.id, deletion);
  },
  async list(organizationId) {
    return [...deletions.values()]
      .filter((deletion) => organizationId === null || deletion.organizationId === organizationId)
      .sort((a, b) => a.timeStarted - b.timeStarted || byText(a.id, b.id));
  },
  async remove({ id }) {
    deletions.delete(id);
  },
});
