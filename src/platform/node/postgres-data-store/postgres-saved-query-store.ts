import type { SavedQuery, SavedQueryStore } from '../../../data-service/ports/saved-query-store.ts';
import { changesOf } from '../../../data-service/ports/describe-changes.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { claimName, EntryTable, namedColumns } from './entry-table.ts';
import type { KeepChanges } from './postgres-audit-store.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { textKey } from './text-key.ts';

export const savedQueryTable = new EntryTable<SavedQuery>('saved_queries', {
  key: namedColumns.key,
  others: (query) => ({ ...namedColumns.others(query), time_created: query.timeCreated }),
});

export function postgresSavedQueryStore(database: PostgresDatabase, keep: KeepChanges): SavedQueryStore {
  const queries = savedQueryTable;
  return {
    create: (query) =>
      database.write(async (statements) => {
        await claimName(statements, queries, 'saved query', query);
        if (!(await queries.insert(statements, query))) throw alreadyExists('saved query', query.id);
        await keep(statements, changesOf('saved-query', null, query));
      }),
    get: (id) => queries.find(database, { id: textKey(id) }),
    getByName: (organizationId, name) =>
      queries.find(database, { organization_id: organizationId, name_key: textKey(name) }),
    list: (organizationId, limit) =>
      queries.list(
        database,
        { organization_id: organizationId },
        `ORDER BY time_created DESC, id DESC LIMIT ${Math.trunc(limit)}`,
      ),
    update: (id, changes) =>
      database.write(async (statements) => {
        const query = await queries.find(statements, { id: textKey(id) }, 'FOR UPDATE');
        if (query === null) throw notFound('saved query', id);
        const changed = { ...query, ...changes };
        await claimName(statements, queries, 'saved query', changed);
        await queries.replace(statements, changed);
        await keep(statements, changesOf('saved-query', query, changed));
      }),
    delete: (id) =>
      database.write(async (statements) => {
        const query = await queries.find(statements, { id: textKey(id) }, 'FOR UPDATE');
        if (query === null) throw notFound('saved query', id);
        await queries.delete(statements, namedColumns.key(query));
        await keep(statements, changesOf('saved-query', query, null));
      }),
  };
}
