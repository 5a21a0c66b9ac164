/** Runs work of the same name one at a time over all windows of the browser; without the Web Locks API, at once. */
export function onePerBrowser(locks: LockManager | undefined): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  // The type of the lock manager awaits the result twice; this is the type of the work.
  return <T>(name: string, work: () => Promise<T>) =>
    locks ? (locks.request(name, work) as unknown as Promise<T>) : work();
}
