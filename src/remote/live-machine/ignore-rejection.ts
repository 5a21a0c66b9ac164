/** A promise whose failure waits until somebody looks. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
