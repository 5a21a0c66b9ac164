export interface SingleFlight<Result> {
  (): Promise<Result>;
  /** the promise of the run that is under way; null where none is */
  readonly running: Promise<Result> | null;
}

/** One run at a time: calls during a run get its promise, and the first call after it runs again. */
export function singleFlight<Result>(run: () => Promise<Result>): SingleFlight<Result> {
  let running: Promise<Result> | null = null;
  const call = (): Promise<Result> => (running ??= run().finally(() => (running = null)));
  return Object.defineProperty(call, 'running', { get: () => running }) as SingleFlight<Result>;
}
