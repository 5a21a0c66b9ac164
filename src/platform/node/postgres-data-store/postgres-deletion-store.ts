import type { Deletion, DeletionStore } from '../../../data-service/ports/deletion-store.ts';
import { EntryTable } from './entry-table.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { textKey } from './text-key.ts';

export const addDeletions = `
  CREATE TABLE deletions (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    time_started double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  )`;

const keyOf = ({ organizationId, id }: Pick<Deletion, 'organizationId' | 'id'>) => ({
  organization_id: organizationId,
  id: textKey(id),
});

export const deletionTable = new EntryTable<Deletion>('deletions', {
  key: keyOf,
  others: ({ timeStarted }) => ({ time_started: timeStarted }),
});

export const postgresDeletionStore = (database: PostgresDatabase): DeletionStore => ({
  put: (deletion) =>
    database.write(async (statements) => {
      if (!(await deletionTable.insert(statements, deletion))) await deletionTable.replace(statements, deletion);
    }),
  list: (organizationId) =>
    deletionTable.list(
      database,
      organizationId === null ? {} : { organization_id: organizationId },
      'ORDER BY time_started, id',
    ),
  remove: (deletion) =>
    database.write(async (statements) => {
      await deletionTable.delete(statements, keyOf(deletion));
    }),
});
