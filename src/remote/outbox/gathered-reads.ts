import { batch } from '../../base/schedule/batch.ts';

interface Wanted {
  readonly id: string;
  readonly signal: AbortSignal;
}

/**
 * Batches reads of single items: items that are requested while a call is pending are read together in the next
 * call. `readMany` resolves to the items in the order of their ids, or to null if one of them does not exist; then
 * each is read alone. Resolves to null for an item that does not exist; rejects as `readMany` does.
 */
export function gatheredReads<Item>(
  readMany: (ids: readonly string[], signal: AbortSignal) => Promise<readonly Item[] | null>,
): (id: string, signal: AbortSignal) => Promise<Item | null> {
  const read = async (wanted: readonly Wanted[]): Promise<readonly (Item | null)[] | null> =>
    readMany(
      wanted.map(({ id }) => id),
      abortedByAll(wanted.map(({ signal }) => signal)),
    );

  const gather = batch<Wanted, Item | null>(async (wanted) => {
    const items = await read(wanted);
    if (items || wanted.length === 1) return items ?? [null];
    const alone: Promise<Item | null>[] = [];
    for (const one of wanted) {
      const item = read([one]).then((found) => found?.[0] ?? null);
      await item.catch(() => undefined); // the item's own caller is told
      alone.push(item);
    }
    return alone;
  });
  return (id, signal) => gather({ id, signal });
}

/** A signal that aborts once all of these have: the answer is awaited as long as one caller wants it. */
function abortedByAll(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController();
  const look = (): void => {
    if (signals.every(({ aborted }) => aborted)) all.abort(signals[0]?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', look, { once: true, signal: all.signal });
  look();
  return all.signal;
}
