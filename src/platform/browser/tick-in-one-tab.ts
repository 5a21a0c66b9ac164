/**
 * Calls `tick` every so often in one worker of all that share the origin, as long as it lives; then in the next. One
 * tick follows the other: a long one delays the next.
 */
export function tickInOneTab(lockName: string, tick: (signal: AbortSignal) => Promise<void>, everyMs: number): void {
  const never = new AbortController().signal;
  void navigator.locks.request(lockName, async () => {
    for (;;) {
      await tick(never);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  });
}
