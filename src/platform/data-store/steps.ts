/**
 * The work of one transaction, step by step: a generator, so that it is written once for engines that answer at once (SQLite, memory),
 * whose transaction must not be left, and for those that are awaited (IndexedDB, PostgreSQL).
 */
export type Steps<Result> = Generator<() => unknown, Result>;

/**
 * One step: `yield* step(work)` is what `work` gives, awaited where the engine awaits.
 * @param work is called when the steps before it have ended
 * @throws what `work` throws, within the steps
 */
export function* step<Result>(work: () => Result | Promise<Result>): Steps<Result> {
  return (yield work) as Result;
}

/**
 * Runs steps that never wait to their end.
 * @param steps of an engine that answers at once
 * @returns their result
 * @throws what a step throws and the steps do not catch
 */
export function runNow<Result>(steps: Steps<Result>): Result {
  for (let next = steps.next(); ;) {
    if (next.done) return next.value;
    let found: unknown;
    try {
      found = next.value();
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(found);
  }
}

/**
 * Runs steps, each of which is awaited before the next begins.
 * @param steps of any engine
 * @returns resolves to their result, and rejects with what a step throws and the steps do not catch
 */
export async function runInTurn<Result>(steps: Steps<Result>): Promise<Result> {
  for (let next = steps.next(); ;) {
    if (next.done) return next.value;
    let found: unknown;
    try {
      found = await next.value();
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(found);
  }
}
