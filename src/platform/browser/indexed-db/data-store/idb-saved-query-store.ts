import type { SavedQueryStore } from '../../../../data-service/ports/saved-query-store.ts';
import { changesOf } from '../../../../data-service/ports/describe-changes.ts';
import { notFound } from '../../../../data-service/ports/store-refusals.ts';
import type { KeepChanges } from './idb-audit-store.ts';
import type { IdbDatabase } from './idb-database.ts';
import { requireFreeName } from './names.ts';
import { readRange } from './read-range.ts';

export function idbSavedQueryStore(database: IdbDatabase, keep: KeepChanges): SavedQueryStore {
  return {
    create: (query) =>
      database.write(['savedQueries', 'auditRows'], async (transaction) => {
        await requireFreeName(transaction, 'savedQueries', 'saved query', query);
        await transaction.objectStore('savedQueries').add(query);
        await keep(transaction, changesOf('saved-query', null, query));
      }),
    get: (id) =>
      database.read(
        ['savedQueries'],
        async (transaction) => (await transaction.objectStore('savedQueries').get(id)) ?? null,
      ),
    getByName: (organizationId, name) =>
      database.read(
        ['savedQueries'],
        async (transaction) =>
          (await transaction.objectStore('savedQueries').index('name').get([organizationId, name])) ?? null,
      ),
    list: (organizationId, limit) =>
      database.read(['savedQueries'], (transaction) => {
        const own = IDBKeyRange.bound([organizationId], [organizationId, []]);
        return readRange(transaction.objectStore('savedQueries').index('time'), own, 'descending', limit);
      }),
    update: (id, changes) =>
      database.write(['savedQueries', 'auditRows'], async (transaction) => {
        const queries = transaction.objectStore('savedQueries');
        const query = await queries.get(id);
        if (query === undefined) throw notFound('saved query', id);
        const changed = { ...query, ...changes };
        await requireFreeName(transaction, 'savedQueries', 'saved query', changed);
        await queries.put(changed);
        await keep(transaction, changesOf('saved-query', query, changed));
      }),
    delete: (id) =>
      database.write(['savedQueries', 'auditRows'], async (transaction) => {
        const queries = transaction.objectStore('savedQueries');
        const query = await queries.get(id);
        if (query === undefined) throw notFound('saved query', id);
        await queries.delete(id);
        await keep(transaction, changesOf('saved-query', query, null));
      }),
  };
}
