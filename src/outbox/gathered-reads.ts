interface Wanted<Item> {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly resolve: (item: Item | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches reads of single items: items that are requested while a call is pending are read together in the next
 * call. `readMany` resolves to the items in the order of their ids, or to null if one of them does not exist; then
 * each is read alone. Resolves to null for an item that does not exist; rejects as `readMany` does.
 */
export function gatheredReads<Item>(
  readMany: (ids: readonly string[], signal: AbortSignal) => Promise<readonly Item[] | null>,
): (id: string, signal: AbortSignal) => Promise<Item | null> {
  let gathered: Wanted<Item>[] = [];
  let isReading = false;

  async function read(wanted: readonly Wanted<Item>[]): Promise<void> {
    const signal = abortedByAll(wanted.map((one) => one.signal));
    try {
      const items = await readMany(
        wanted.map(({ id }) => id),
        signal,
      );
      if (items) wanted.forEach(({ resolve }, at) => resolve(items[at] ?? null));
      else if (wanted.length === 1) wanted[0]!.resolve(null);
      else for (const one of wanted) await read([one]);
    } catch (error) {
      for (const { reject } of wanted) reject(error);
    }
  }

  async function readGathered(): Promise<void> {
    isReading = true;
    while (gathered.length > 0) {
      const wanted = gathered;
      gathered = [];
      await read(wanted);
    }
    isReading = false;
  }

  return (id, signal) =>
    new Promise((resolve, reject) => {
      gathered.push({ id, signal, resolve, reject });
      if (!isReading) void readGathered();
    });
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
