interface BeginningRuntime {
  /** Settles once the runtime can open models, or cannot be had. */
  readonly prepared: Promise<unknown>;
  /** Its script is here, and its WebAssembly file is still on its way. */
  readonly isFetching: () => boolean;
}

/** Less than the page waits for a worker before it starts another. */
const fetchPatienceMs = 10_000;

/**
 * When a worker may be told to run that has a runtime: once that is prepared, or cannot be. A slow network is no reason
 * to start the worker again, so it may also be told if the runtime's file is still on its way after ten seconds. If all
 * is there and nothing comes of it, it is never told: in Firefox, in about one of ten private windows that a driver
 * watches, a runtime neither starts nor fails.
 */
export async function whenBegun({ prepared, isFetching }: BeginningRuntime): Promise<void> {
  const settled = prepared.then(
    () => undefined,
    () => undefined, // opening a model fails for the same reason, and says so
  );
  await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, fetchPatienceMs))]);
  if (!isFetching()) await settled;
}
