/**
 * Attempts after a while, and again every so often until one says that it is done. One that fails, as where a chunk
 * could not be fetched, is followed by the next like any other.
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
