import type { Summary } from '../../../../data-service/face/captures.ts';
import type { DataSchema, ReadTransaction, WriteTransaction } from './schema.ts';
import { sumByDay, type Tallied } from './tally-days.ts';

type Tally = DataSchema['tallies']['value'];

/** What a transaction has written: one that writes many captures of a day reads its tally once. */
const writtenIn = new WeakMap<WriteTransaction, Map<string, Tally>>();

/**
 * Counts what a transaction adds and takes away: a tally for each day of a stream, so that counting captures reads none
 * of them. Within the transaction that writes them, which holds the store `tallies`, and not while it counts others.
 */
export async function tally(
  transaction: WriteTransaction,
  added: readonly Tallied[],
  removed: readonly Tallied[],
): Promise<void> {
  const store = transaction.objectStore('tallies');
  const known = writtenIn.get(transaction) ?? new Map<string, Tally>();
  writtenIn.set(transaction, known);
  for (const { key, count, bytes } of [...sumByDay(added, 1), ...sumByDay(removed, -1)]) {
    const before = known.get(key.join()) ?? (await store.get(key)) ?? { count: 0, bytes: 0 };
    const after = { count: before.count + count, bytes: before.bytes + bytes };
    known.set(key.join(), after);
    await (after.count === 0 ? store.delete(key) : store.put(after, key));
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
