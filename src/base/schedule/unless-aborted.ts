/** Settles like the promise, or rejects with the signal's reason if it aborts first. The work itself goes on: others may wait for it. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
