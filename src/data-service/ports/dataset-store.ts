import type { Micros } from './capture.ts';

export interface Dataset {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly type: 'binary' | 'sequence';
  readonly timeCreated: Micros;
}

/** Datasets themselves; their members are the binary records that bear their tag. Methods are atomic and durable. */
export interface DatasetStore {
  /** A name already taken in the organization: `already-exists`, the name as subject. */
  create(dataset: Dataset): Promise<void>;
  /** Those of the ids that exist in the organization, in the order asked. */
  get(organizationId: string, ids: readonly string[]): Promise<readonly Dataset[]>;
  /** All of an organization, by name. */
  list(organizationId: string): Promise<readonly Dataset[]>;
  /** `not-found` or, for a taken name, `already-exists`. A dataset may be given the name it has. */
  rename(organizationId: string, id: string, name: string): Promise<void>;
  /** `not-found`; `conflict` while any record still bears the dataset's tag. */
  delete(organizationId: string, id: string): Promise<void>;
}
