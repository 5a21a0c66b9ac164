/** Ends work whose values nobody takes any more. */
class Abandoned extends Error {}

/**
 * The values that `work` passes on, in order. While the caller uses one value, `work` makes the next one; it waits before it passes on a
 * third. When the caller ends the iteration, the next value that `work` passes on is refused, which ends it too.
 */
export async function* passedOn<T>(work: (pass: (value: T) => Promise<void>) => Promise<void>): AsyncGenerator<T> {
  const waiting: T[] = [];
  let isDone = false;
  let isAbandoned = false;
  // work waits where a value waits, and the caller where none does: never both
  let wake = (): void => undefined;
  const change = (): Promise<void> => new Promise((resolve) => (wake = resolve));

  const working = work(async (value) => {
    while (waiting.length > 0 && !isAbandoned) await change();
    if (isAbandoned) throw new Abandoned();
    waiting.push(value);
    wake();
  }).finally(() => {
    isDone = true;
    wake();
  });
  working.catch(() => undefined); // met below
  try {
    while (waiting.length > 0 || !isDone) {
      if (waiting.length === 0) await change();
      else {
        const value = waiting.shift()!;
        wake();
        yield value;
      }
    }
    await working;
  } finally {
    isAbandoned = true;
    wake();
    await working.catch(() => undefined);
  }
}
