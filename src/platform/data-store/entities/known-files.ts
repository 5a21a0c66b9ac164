import type { Steps } from '../steps.ts';
import type { Scope } from '../tables.ts';

/** The files of a store, which an engine keeps its own way, asked within a write of tables. */
export interface KnownFiles<Writing> {
  readonly scope: Scope;
  /** Whether a file of the organization is in the dataset. */
  areIn(tables: Writing, organizationId: string, datasetId: string): Steps<boolean>;
  /** Whether the organization has a file, which nobody deletes before the end of the write. */
  lock(tables: Writing, organizationId: string, id: string): Steps<boolean>;
}
