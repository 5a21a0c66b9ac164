import type { Actor } from './audit-store.ts';
import { isOfFiles, type BinaryFilter, type TabularFilter } from './capture-filter.ts';
import type { Micros } from './stored-captures.ts';

/** A deletion of files or readings whose call was answered before its end. */
export interface Deletion {
  readonly id: string;
  readonly organizationId: string;
  readonly filter: BinaryFilter | TabularFilter;
  /** Captures that were synced later came after the answer: they stay. */
  readonly syncedUntil: Micros;
  readonly actor: Actor;
  readonly timeStarted: Micros;
  /** how many the call deletes in all */
  readonly total: number;
  readonly deleted: number;
}

/**
 * Counts what deletions of an organization have still to delete.
 * @param deletions null: there are none that go on
 * @param organizationId whose
 * @returns how many files and readings
 * @example
 * await leftToDelete(null, 'a'); // => { files: 0, readings: 0 }
 */
export async function leftToDelete(
  deletions: DeletionStore | null,
  organizationId: string,
): Promise<{ readonly files: number; readonly readings: number }> {
  const left = { files: 0, readings: 0 };
  for (const { filter, total, deleted } of (await deletions?.list(organizationId)) ?? [])
    left[isOfFiles(filter) ? 'files' : 'readings'] += Math.max(0, total - deleted);
  return left;
}

/** Deletions that are under way, so that a host goes on with them when the one that began has ended. */
export interface DeletionStore {
  /** Adds a deletion, or replaces it, as it is some captures later. */
  put(deletion: Deletion): Promise<void>;
  /** In the order of (time started, id). @param organizationId null: of all organizations */
  list(organizationId: string | null): Promise<readonly Deletion[]>;
  /** Nothing happens if it is not there. */
  remove(deletion: Pick<Deletion, 'organizationId' | 'id'>): Promise<void>;
}
