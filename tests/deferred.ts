/** A promise with functions that settle it. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, resolve, reject };
}
