/** A promise whose failure waits until somebody looks. */
export function heardLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
