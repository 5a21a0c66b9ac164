import type { IndexStore } from '../../data-service/ports/index-store.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { notFound } from './refusals.ts';

/**
 * Refuses every index that a client asks for, since an index that speeds nothing up would be a mere record. Searches by
 * time, part, component, method, location and tag go by the store's own indexes.
 */
export const noClientIndexes: IndexStore = {
  async create(index) {
    const paths = index.key.map(({ path }) => path).join(', ');
    throw new StoreError(
      'unsupported',
      `This store has no index on ${paths}. Times, parts, components, methods, locations and tags are indexed always.`,
      { subject: index.name },
    );
  },
  async list() {
    return [];
  },
  async delete(_organizationId, _collection, name) {
    throw notFound('index', name);
  },
};
