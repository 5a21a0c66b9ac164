import type { IndexedCollection, IndexStore } from '../../data-service/face/stores.ts';

/** One store of indexes where those of readings and those of sinks are kept apart. */
export function splitIndexes(readings: IndexStore, sinks: IndexStore): IndexStore {
  const of = ({ kind }: IndexedCollection): IndexStore => (kind === 'hot-store' ? readings : sinks);
  return {
    create: (index) => of(index.collection).create(index),
    list: (organizationId, collection) => of(collection).list(organizationId, collection),
    beingBuilt: (organizationId, collection) => of(collection).beingBuilt(organizationId, collection),
    delete: (organizationId, collection, name) => of(collection).delete(organizationId, collection, name),
  };
}
