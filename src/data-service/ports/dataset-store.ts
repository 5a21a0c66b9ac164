import type { Micros } from './stored-captures.ts';

export interface Dataset {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly type: 'binary' | 'sequence';
  readonly timeCreated: Micros;
}

/** The datasets themselves; their members are the binary records with their tag, and the sequences that name them. Methods are atomic and durable. */
export interface DatasetStore {
  /** `already-exists` for a name that is taken in the organization, with the name as subject. */
  create(dataset: Dataset): Promise<void>;
  /** The datasets with these ids that exist in the organization, in the order of the ids. */
  get(organizationId: string, ids: readonly string[]): Promise<readonly Dataset[]>;
  /** All datasets of an organization, by name. */
  list(organizationId: string): Promise<readonly Dataset[]>;
  /** `not-found`, or `already-exists` for a taken name. A dataset's present name is accepted. */
  rename(organizationId: string, id: string, name: string): Promise<void>;
  /** `not-found`; `conflict` while a record still has the dataset's tag, or a sequence is its member. */
  delete(organizationId: string, id: string): Promise<void>;
}
