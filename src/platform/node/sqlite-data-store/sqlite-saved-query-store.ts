import type { SavedQuery, SavedQueryStore } from '../../../data-service/ports/saved-query-store.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { changesOf } from '../../../data-service/ports/describe-changes.ts';
import { EntryTable } from './entry-table.ts';
import type { KeepChanges } from './sqlite-audit-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export const savedQueryTable = (database: SqliteDatabase): EntryTable<SavedQuery> =>
  new EntryTable(database, 'saved_queries', ({ id, organizationId, name, timeCreated }) => ({
    id,
    organization_id: organizationId,
    name,
    time_created: timeCreated,
  }));

export function sqliteSavedQueryStore(database: SqliteDatabase, keep: KeepChanges): SavedQueryStore {
  const queries = savedQueryTable(database);
  const requireFreeName = ({ id, organizationId, name }: SavedQuery): void => {
    const other = queries.find({ organization_id: organizationId, name });
    if (other !== undefined && other.id !== id) throw alreadyExists('saved query', name);
  };

  return {
    create: (query) =>
      database.write(() => {
        requireFreeName(query);
        queries.insert(query);
        keep(changesOf('saved-query', null, query));
      }),
    get: (id) => database.read(() => queries.find({ id }) ?? null),
    getByName: (organizationId, name) =>
      database.read(() => queries.find({ organization_id: organizationId, name }) ?? null),
    list: (organizationId, limit) =>
      database.read(() =>
        queries.list({ organization_id: organizationId }, 'ORDER BY time_created DESC, id DESC LIMIT ?', limit),
      ),
    update: (id, changes) =>
      database.write(() => {
        const query = queries.find({ id });
        if (query === undefined) throw notFound('saved query', id);
        const changed = { ...query, ...changes };
        requireFreeName(changed);
        queries.replace(changed, { id });
        keep(changesOf('saved-query', query, changed));
      }),
    delete: (id) =>
      database.write(() => {
        const query = queries.find({ id });
        if (query === undefined) throw notFound('saved query', id);
        queries.delete({ id });
        keep(changesOf('saved-query', query, null));
      }),
  };
}
