import {
  alreadyExists,
  changesOf,
  notFound,
  type SavedQuery,
  type SavedQueryStore,
} from '../../../data-service/face/stores.ts';
import type { Steps } from '../steps.ts';
import type { Keep, TableStore, WriteTables } from '../tables.ts';
import { claimName } from './claim-name.ts';
import { auditRows, savedQueries } from './entity-tables.ts';

export function savedQueryStore(store: TableStore, keep: Keep): SavedQueryStore {
  const scope = [savedQueries, auditRows];
  function* required(tables: WriteTables, id: string): Steps<SavedQuery> {
    const query = yield* tables.find(savedQueries, { id }, 'change');
    if (query === null) throw notFound('saved query', id);
    return query;
  }

  return {
    create: (query) =>
      store.write(scope, function* (tables) {
        yield* claimName(tables, savedQueries, 'saved query', query);
        if (!(yield* tables.insert(savedQueries, query))) throw alreadyExists('saved query', query.id);
        yield* keep(tables, changesOf('saved-query', null, query));
      }),
    get: (id) => store.read([savedQueries], (tables) => tables.find(savedQueries, { id })),
    getByName: (organizationId, name) =>
      store.read([savedQueries], (tables) => tables.find(savedQueries, { organizationId, name })),
    list: (organizationId, limit) =>
      store.read([savedQueries], (tables) =>
        tables.list(savedQueries, {
          where: { organizationId },
          order: ['timeCreated', 'id'],
          descending: true,
          limit: Math.trunc(limit),
        }),
      ),
    update: (id, changes) =>
      store.write(scope, function* (tables) {
        const query = yield* required(tables, id);
        const changed = { ...query, ...changes };
        yield* claimName(tables, savedQueries, 'saved query', changed);
        yield* tables.replace(savedQueries, changed);
        yield* keep(tables, changesOf('saved-query', query, changed));
      }),
    delete: (id) =>
      store.write(scope, function* (tables) {
        const query = yield* required(tables, id);
        yield* tables.delete(savedQueries, { where: { organizationId: query.organizationId, id } });
        yield* keep(tables, changesOf('saved-query', query, null));
      }),
  };
}
