import { randomId } from '../../src/platform/browser/random-id.ts';

/**
 * A worker that runs out of memory or is ended by the browser says nothing. What it can do is hold a lock from its
 * beginning: the browser frees that when the worker is gone, however it went.
 */
interface Started {
  readonly kind: 'started';
  /** null where there are no locks, as on pages over plain http */
  readonly lock: string | null;
}

/**
 * In a worker: says that its script runs, and lets the page know when it does so no more. Resolves once it has said so: a
 * call that is answered after that cannot outlive its worker unnoticed. `name` is what the worker is for.
 */
export function tellThatRunning(scope: { postMessage(message: Started): void }, name: string): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  const lock = `sightglass-${name}-${randomId()}`;
  return new Promise((resolve) => {
    const tell = (held: string | null): void => {
      scope.postMessage({ kind: 'started', lock: held });
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

/**
 * On the page: resolves, in words, when a worker that calls `tellThatRunning` is gone or cannot be started. Errors that
 * the running worker reports are its own affair.
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
