import type { Actor } from './audit-store.ts';
import type { TabularFilter } from './capture-filter.ts';
import type { Micros } from './stored-captures.ts';

/** A deletion of readings whose call was answered before its end. */
export interface Deletion {
  readonly id: string;
  readonly organizationId: string;
  readonly filter: TabularFilter;
  /** Readings that were synced later came after the answer: they stay. */
  readonly syncedUntil: Micros;
  readonly actor: Actor;
  readonly timeStarted: Micros;
  /** how many readings the call deletes in all */
  readonly total: number;
  readonly deleted: number;
}

/**
 * Counts the readings that deletions of an organization have still to delete.
 * @param deletions null: there are none that go on
 * @param organizationId whose
 * @returns how many
 * @example
 * await readingsToDeleteOf(null, 'a'); // => 0
 */
export async function readingsToDeleteOf(deletions: DeletionStore | null, organizationId: string): Promise<number> {
  const found = (await deletions?.list(organizationId)) ?? [];
  return found.reduce((sum, { total, deleted }) => sum + Math.max(0, total - deleted), 0);
}

/** Deletions that are under way, so that a host goes on with them when the one that began has ended. */
export interface DeletionStore {
  /** Adds a deletion, or replaces it, as it is some readings later. */
  put(deletion: Deletion): Promise<void>;
  /** In the order of (time started, id). @param organizationId null: of all organizations */
  list(organizationId: string | null): Promise<readonly Deletion[]>;
  /** Nothing happens if it is not there. */
  remove(deletion: Pick<Deletion, 'organizationId' | 'id'>): Promise<void>;
}
