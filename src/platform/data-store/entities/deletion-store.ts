import type { DeletionStore } from '../../../data-service/face/stores.ts';
import type { TableStore } from '../tables.ts';
import { deletions } from './entity-tables.ts';

export const deletionStore = (store: TableStore): DeletionStore => ({
  put: (deletion) =>
    store.write([deletions], function* (tables) {
      if (!(yield* tables.insert(deletions, deletion))) yield* tables.replace(deletions, deletion);
    }),
  list: (organizationId) =>
    store.read([deletions], (tables) =>
      tables.list(deletions, {
        where: organizationId === null ? {} : { organizationId },
        order: ['timeStarted', 'id'],
      }),
    ),
  remove: ({ organizationId, id }) =>
    store.write([deletions], function* (tables) {
      yield* tables.delete(deletions, { where: { organizationId, id } });
    }),
});
