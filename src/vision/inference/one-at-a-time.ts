/** Runs a task once every task handed over before it has ended, however it ended. */
export type Turn = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * A queue for whatever cannot be entered twice: a kernel packs every tensor into the same memory, and a session must not
 * run while it runs. A task that waits for another turn of the same queue would wait for ever.
 */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}
