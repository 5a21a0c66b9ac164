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

/** An index that is not whole yet. */
export interface IndexBeingBuilt {
  readonly index: StoredIndex;
  /** how many rows it has, of about how many; null: this host does not know, as another one builds it, or none does now */
  readonly progress: { readonly rows: number; readonly of: number } | null;
}

/**
 * Indexes are built and kept by the store that answers `pageByHints`; an index that it would not use is refused.
 */
export interface IndexStore {
  /**
   * `already-exists` for a name that is taken in the collection. `unsupported`, with the reason, for an index that
   * this store could not use. Resolves when it is whole; what ends that before leaves it to be built on.
   */
  create(index: StoredIndex): Promise<void>;
  /** Those that are whole. */
  list(organizationId: string, collection: IndexedCollection): Promise<readonly StoredIndex[]>;
  /** Those that are not whole, by name. */
  beingBuilt(organizationId: string, collection: IndexedCollection): Promise<readonly IndexBeingBuilt[]>;
  /** `not-found`. Its name is free, and no list has it, at once; resolves when what it has is removed. */
  delete(organizationId: string, collection: IndexedCollection, name: string): Promise<void>;
}
