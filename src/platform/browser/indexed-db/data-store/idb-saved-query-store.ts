import type { SavedQueryStore } from '../../../../data-service/ports/saved-query-store.ts';
import { notFound } from '../../../../data-service/ports/store-refusals.ts';
import type { IdbDatabase } from './idb-database.ts';
import { requireFreeName } from './names.ts';
import { readRange } from './read-range.ts';

export function idbSavedQueryStore(database: IdbDatabase): SavedQueryStore {
  return {
    create: (query) =>
      database.write(['savedQueries'], async (transaction) => {
        await requireFreeName(transaction, 'savedQueries', 'saved query', query);
        await transaction.objectStore('savedQueries').add(query);
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
      database.write(['savedQueries'], async (transaction) => {
        const queries = transaction.objectStore('savedQueries');
        const query = await queries.get(id);
        if (query === undefined) throw notFound('saved query', id);
        await requireFreeName(transaction, 'savedQueries', 'saved query', { ...query, ...changes });
        await queries.put({ ...query, ...changes });
      }),
    delete: (id) =>
      database.write(['savedQueries'], async (transaction) => {
        const queries = transaction.objectStore('savedQueries');
        if ((await queries.getKey(id)) === undefined) throw notFound('saved query', id);
        await queries.delete(id);
      }),
  };
}
