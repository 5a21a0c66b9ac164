/** Runs work of one name one at a time, over all windows of the browser; where it has no locks, without waiting. */
export function onePerBrowser(locks: LockManager | undefined): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  // The lock manager's own type awaits the result twice over; it is the work's.
  return <T>(name: string, work: () => Promise<T>) =>
    locks ? (locks.request(name, work) as unknown as Promise<T>) : work();
}
