interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches calls: those that come while a run is under way go together, in their order, into the next one. `run`
 * resolves to a result, or a promise of one, for each item; where it rejects, all calls of that run do.
 */
export function batch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const calls = waiting;
      waiting = [];
      try {
        const results = await run(calls.map(({ item }) => item));
        calls.forEach(({ resolve }, at) => resolve(results[at]!));
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
