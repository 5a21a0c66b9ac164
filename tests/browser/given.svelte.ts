/** What a test changes as frames do, for those who follow it. */
export class Given<T> {
  current = $state.raw() as T;

  constructor(first: T) {
    this.current = first;
  }
}

/** Counts how often something changes. Returns the count, and what ends it. */
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
