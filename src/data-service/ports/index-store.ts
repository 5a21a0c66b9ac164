import type { Micros } from './stored-captures.ts';

export type IndexedCollection =
  { readonly kind: 'hot-store' } | { readonly kind: 'pipeline-sink'; readonly pipelineId: string };

/** An index that a client created, or one of the service's own. */
export interface StoredIndex {
  readonly organizationId: string;
  readonly collection: IndexedCollection;
  readonly name: string;
  /** dotted paths in order, 1 ascending, -1 descending */
  readonly key: readonly { readonly path: string; readonly direction: 1 | -1 }[];
  /** the rest of the client's specification, as JSON text */
  readonly options: string;
  readonly createdBy: 'viam' | 'customer';
  readonly timeCreated: Micros;
}

/**
 * Indexes are built and kept by the store that answers `pageByHints`; an index that it would not use is refused.
 */
export interface IndexStore {
  /**
   * `already-exists` for a name that is taken in the collection. `unsupported`, with the reason, for an index that
   * this store could not use.
   */
  create(index: StoredIndex): Promise<void>;
  list(organizationId: string, collection: IndexedCollection): Promise<readonly StoredIndex[]>;
  /** `not-found`. */
  delete(organizationId: string, collection: IndexedCollection, name: string): Promise<void>;
}
