/** Ends work whose values nobody takes any more. */
class Abandoned extends Error {}

/**
 * The values that `work` passes on, in order. Work goes on with the next value while one is being used, and waits with a third. Who
 * ends the iteration ends the work: what it passes then is refused.
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
