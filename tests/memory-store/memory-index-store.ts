import type { IndexedCollection, IndexStore } from '../../src/data-service/ports/index-store.ts';
import type { KeepChanges, Tables } from './tables.ts';
import { changesOf } from '../../src/data-service/ports/describe-changes.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../src/data-service/ports/store-refusals.ts';

/** Stores the names of indexes only: the memory store reads every page by a full scan, so indexes would not help. */
export function memoryIndexStore(tables: Tables, keep: KeepChanges): IndexStore {
  return {
    async create(index) {
      const key = keyOf(index.organizationId, index.collection, index.name);
      if (tables.indexes.has(key)) throw alreadyExists('index', index.name);
      tables.indexes.set(key, index);
      keep(changesOf('index', null, index));
    },
    async list(organizationId, collection) {
      const prefix = keyOf(organizationId, collection, '');
      return [...tables.indexes]
        .filter(([key]) => key.startsWith(prefix))
        .map(([, index]) => index)
        .sort((a, b) => byText(a.name, b.name));
    },
    beingBuilt: async () => [], // they have nothing to build
    async delete(organizationId, collection, name) {
      const key = keyOf(organizationId, collection, name);
      const index = tables.indexes.get(key);
      if (index === undefined) throw notFound('index', name);
      tables.indexes.delete(key);
      keep(changesOf('index', index, null));
    },
  };
}

const keyOf = (organizationId: string, collection: IndexedCollection, name: string): string =>
  [organizationId, collection.kind, collection.kind === 'pipeline-sink' ? collection.pipelineId : '', name].join('\n');
