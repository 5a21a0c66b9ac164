/** The tab that held it before may be about to go, as with a reload. */
const waitedMs = 1_000;

/**
 * Takes a name for this page until it goes, which no other page of the browser has meanwhile. Resolves to false where another
 * one has it and stays, or the browser knows no locks, as on pages over plain http.
 */
export async function holdName(name: string): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return false;
  return new Promise((resolve) => {
    const held = locks.request(name, { signal: AbortSignal.timeout(waitedMs) }, () => {
      resolve(true);
      return new Promise<never>(() => {}); // until the page goes
    });
    held.catch(() => resolve(false));
  });
}
