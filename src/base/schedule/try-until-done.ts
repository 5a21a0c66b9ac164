/**
 * Calls an attempt after a delay, and again at intervals until it returns that it is done. A failed attempt, as
 * when a chunk could not be loaded, is followed by the next one.
 */
export function tryUntilDone(
  attempt: () => Promise<boolean>,
  { firstAfterMs, againAfterMs }: { readonly firstAfterMs: number; readonly againAfterMs: number },
): void {
  const run = async (): Promise<void> => {
    if (!(await attempt().catch(() => false))) setTimeout(() => void run(), againAfterMs);
  };
  setTimeout(() => void run(), firstAfterMs);
}
