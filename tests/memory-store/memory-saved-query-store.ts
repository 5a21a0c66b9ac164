import type { SavedQuery, SavedQueryStore } from '../../src/data-service/ports/saved-query-store.ts';
import { required, type KeepChanges, type Tables } from './tables.ts';
import { changesOf } from '../../src/data-service/ports/describe-changes.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';
import { alreadyExists } from '../../src/data-service/ports/store-refusals.ts';

export function memorySavedQueryStore(tables: Tables, keep: KeepChanges): SavedQueryStore {
  const named = (organizationId: string, name: string): SavedQuery | undefined =>
    [...tables.savedQueries.values()].find((query) => query.organizationId === organizationId && query.name === name);
  const requireFreeName = ({ id, organizationId, name }: SavedQuery): void => {
    const other = named(organizationId, name);
    if (other !== undefined && other.id !== id) throw alreadyExists('saved query', name);
  };

  return {
    async create(query) {
      requireFreeName(query);
      tables.savedQueries.set(query.id, query);
      keep(changesOf('saved-query', null, query));
    },
    async get(id) {
      return tables.savedQueries.get(id) ?? null;
    },
    async getByName(organizationId, name) {
      return named(organizationId, name) ?? null;
    },
    async list(organizationId, limit) {
      return [...tables.savedQueries.values()]
        .filter((query) => query.organizationId === organizationId)
        .sort((a, b) => b.timeCreated - a.timeCreated || byText(b.id, a.id))
        .slice(0, limit);
    },
    async update(id, changes) {
      const query = required(tables.savedQueries, 'saved query', id);
      const changed = { ...query, ...changes };
      requireFreeName(changed);
      tables.savedQueries.set(id, changed);
      keep(changesOf('saved-query', query, changed));
    },
    async delete(id) {
      const query = required(tables.savedQueries, 'saved query', id);
      tables.savedQueries.delete(id);
      keep(changesOf('saved-query', query, null));
    },
  };
}
