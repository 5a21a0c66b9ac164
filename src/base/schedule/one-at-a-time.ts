/** Runs a task once every task handed over before it has ended, however it ended. */
export type Turn = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * A queue that runs one task at a time, for resources that cannot be used twice at once: a kernel packs every
 * tensor into the same memory, and a session must not run while it runs. A task that waits for another task of the
 * same queue waits for ever.
 * @returns the queue, as a function that runs a task after all earlier ones have ended; a failed task stops none of
 *   the later ones
 * @example
 * const turn = oneAtATime();
 * const order: string[] = [];
 * const slow = turn(async () => { await Promise.resolve(); order.push('first'); });
 * const quick = turn(async () => { order.push('second'); });
 * await Promise.all([slow, quick]); // => [undefined, undefined]
 * order; // => ['first', 'second']
 */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}
