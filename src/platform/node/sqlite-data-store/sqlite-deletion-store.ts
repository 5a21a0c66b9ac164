import type { Deletion, DeletionStore } from '../../../data-service/ports/deletion-store.ts';
import { EntryTable } from './entry-table.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export const deletionTable = (database: SqliteDatabase): EntryTable<Deletion> =>
  new EntryTable(database, 'deletions', ({ id, organizationId, timeStarted }) => ({
    id,
    organization_id: organizationId,
    time_started: timeStarted,
  }));

export function sqliteDeletionStore(database: SqliteDatabase): DeletionStore {
  const deletions = deletionTable(database);
  return {
    put: (deletion) =>
      database.write(() => {
        deletions.delete({ id: deletion.id });
        deletions.insert(deletion);
      }),
    list: (organizationId) =>
      database.read(() =>
        deletions.list(organizationId === null ? {} : { organization_id: organizationId }, 'ORDER BY time_started, id'),
      ),
    remove: ({ id }) => database.write(() => void deletions.delete({ id })),
  };
}
