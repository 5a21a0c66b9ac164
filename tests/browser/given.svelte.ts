/** A reactive value that a test changes, like new frames do. */
export class Given<T> {
  current = $state.raw() as T;

  constructor(first: T) {
    this.current = first;
  }
}

/** Counts the changes of a reactive value. Returns the count and a function that stops counting. */
export function countChanges(read: () => unknown): { readonly count: () => number; readonly stop: () => void } {
  let count = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      read();
      count++;
    });
  });
  return { count: () => count, stop };
}
