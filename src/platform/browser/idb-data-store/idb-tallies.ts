import type { Summary } from '../../../data-service/ports/capture-filter.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';
import { sumByDay, type Tallied } from './tally-days.ts';

/**
 * Counts what a transaction adds and takes away: a tally for each day of a stream, so that counting captures reads none
 * of them. Within the transaction that writes them, which holds the store `tallies`.
 */
export async function tally(
  transaction: WriteTransaction,
  added: readonly Tallied[],
  removed: readonly Tallied[],
): Promise<void> {
  const store = transaction.objectStore('tallies');
  const changes = [...sumByDay(added, 1), ...sumByDay(removed, -1)];
  for (const { key, count, bytes } of changes) {
    const known = (await store.get(key)) ?? { count: 0, bytes: 0 };
    const changed = { count: known.count + count, bytes: known.bytes + bytes };
    await (changed.count === 0 ? store.delete(key) : store.put(changed, key));
  }
}

/** What streams hold on whole days. */
export async function summarizeDays(
  transaction: ReadTransaction | WriteTransaction,
  streams: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Summary> {
  const total = { count: 0, totalSizeBytes: 0 };
  if (from >= to) return total;
  const store = (transaction as ReadTransaction).objectStore('tallies');
  const all = streams.map((stream) => store.getAll(IDBKeyRange.bound([stream, from], [stream, to], false, true)));
  for (const { count, bytes } of (await Promise.all(all)).flat()) {
    total.count += count;
    total.totalSizeBytes += bytes;
  }
  return total;
}
