interface PreparedRuntime {
  /** Settles once the runtime can open models, or cannot be had. */
  readonly prepared: Promise<unknown>;
  /** Whether the runtime's script is here and its WebAssembly file still on its way. */
  readonly isFetching: () => boolean;
}

/** Shorter than the page waits for the report of a worker. */
const fetchPatienceMs = 10_000;

/**
 * Resolves when the worker of a runtime may report that it runs: once the runtime is prepared, or has failed to be. A
 * worker that does not report is started again, and a slow network is no reason for that: so it also resolves if the
 * runtime's file is still on its way after ten seconds. If the file is there and the runtime neither starts nor fails,
 * it never resolves. In Firefox that happens in about one of ten private windows that a driver controls.
 */
export async function whenReady({ prepared, isFetching }: PreparedRuntime): Promise<void> {
  const settled = prepared.then(
    () => undefined,
    () => undefined, // opening a model fails for the same reason, and says so
  );
  await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, fetchPatienceMs))]);
  if (!isFetching()) await settled;
}
