export interface Once<T> {
  (): Promise<T>;
  /** The next call loads again. */
  forget(): void;
}

/** Loads once, and again after a failure. */
export function once<T>(load: () => Promise<T>): Once<T> {
  let pending: Promise<T> | undefined;
  const forget = (): void => {
    pending = undefined;
  };
  const get = (): Promise<T> =>
    (pending ??= load().catch((error: unknown) => {
      forget();
      throw error;
    }));
  return Object.assign(get, { forget });
}
