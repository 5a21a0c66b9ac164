import { randomId } from '../../src/platform/browser/bytes/random-id.ts';

/**
 * The first message of a worker. A worker that runs out of memory or is ended by the browser sends no event. It
 * therefore holds a lock from its start: the browser releases the lock when the worker is gone, for whatever
 * reason.
 */
interface Started {
  readonly kind: 'started';
  /** null: there are no locks, as on pages over plain http */
  readonly lock: string | null;
}

/**
 * In a worker: posts that its script runs, and takes the lock that tells the page when it no longer does. Resolves
 * once it holds the lock: a call that is answered after that cannot outlive its worker unnoticed. `name` is
 * the worker's purpose. The message is posted once `ready` resolves: when the workers that this one needs run as well.
 */
export function tellThatRunning(
  scope: { postMessage(message: Started): void },
  name: string,
  ready: Promise<void> = Promise.resolve(),
): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  const lock = `sightglass-${name}-${randomId()}`;
  return new Promise((resolve) => {
    const tell = (held: string | null): void => {
      void ready.then(() => scope.postMessage({ kind: 'started', lock: held }));
      resolve();
    };
    const holdForEver = (): Promise<never> => {
      tell(lock);
      return new Promise(() => undefined);
    };
    if (locks) locks.request(lock, holdForEver).catch(() => tell(null));
    else tell(null);
  });
}

/** On the page: resolves when the script of a worker that calls `tellThatRunning` runs. */
export function whenWorkerRuns(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Started | undefined>) => {
      if (data?.kind === 'started') resolve();
    });
  });
}

/**
 * On the page: resolves with the reason in words when a worker that calls `tellThatRunning` is gone or cannot be
 * started. Errors that the running worker reports do not count.
 */
export function whenWorkerEnds(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    let started = false;
    worker.addEventListener('message', ({ data }: MessageEvent<Started | undefined>) => {
      if (data?.kind !== 'started') return;
      started = true;
      if (data.lock !== null) void navigator.locks.request(data.lock, () => resolve('its worker was ended'));
    });
    worker.addEventListener('error', ({ message }) => {
      if (!started) resolve(message || 'its worker could not be started');
    });
  });
}
