import { waitFor } from '../../../base/schedule/wait-for.ts';

/**
 * Calls `tick` every so often in one worker of all that share the origin, as long as it lives or until the signal; then
 * in the next. One tick follows the other: a long one delays the next, and one that resolves to true is followed at
 * once. Where there are no locks (pages over plain http)
 * every tab ticks.
 */
export function tickInOneTab(
  lockName: string,
  tick: (signal: AbortSignal) => Promise<unknown>,
  everyMs: number,
  signal: AbortSignal = new AbortController().signal,
): void {
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const isMoreDue = (await tick(signal)) === true;
      await waitFor(isMoreDue ? 0 : everyMs, signal);
    }
  };
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) void run();
  else locks.request(lockName, { signal }, run).catch(() => undefined); // ended while it waited for its turn
}
