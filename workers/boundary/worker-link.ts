import { releaseProxy, wrap, type ProxyMarked, type Remote } from 'comlink';
import { installComlinkHandlers } from './comlink-handlers.ts';
import { callByName, routeCalls, type Operations } from './route-calls.ts';
import { whenWorkerEnds, whenWorkerRuns } from './worker-life.ts';

/** A running worker, as its caller sees it. */
export interface WorkerLink<Api> {
  /**
   * The worker's api. Function arguments live as long as the call; a call rejects when the worker dies before it
   * answers.
   */
  readonly api: Api;
  /** Resolves when the worker's script runs. */
  readonly started: Promise<void>;
  /** Resolves with the reason once the worker is gone; pending calls were rejected with the same reason. */
  readonly ended: Promise<Error>;
  readonly isOver: boolean;
  /** Ends the worker and rejects pending calls with `reason`. */
  close(reason?: Error): void;
}

/**
 * The caller's side of the boundary: calls a worker that uses `answerCalls`. Takes ownership of the worker, and
 * ends it when an uncaught error occurs in it: its state is then unknown.
 * @param stopped makes the error with which calls reject when the worker dies, from the reason in words
 */
export function linkWorker<Api extends Operations<Api>>(
  worker: Worker,
  stopped: (words: string) => Error,
): WorkerLink<Api> {
  installComlinkHandlers();
  const remote = wrap(worker) as unknown as Api & Remote<ProxyMarked>;
  const underWay = new Set<(reason: Error) => void>();
  let reasonOfEnd: Error | null = null;
  let tellEnd!: (reason: Error) => void;
  const ended = new Promise<Error>((resolve) => (tellEnd = resolve));

  function end(reason: Error): void {
    if (reasonOfEnd) return;
    reasonOfEnd = reason;
    remote[releaseProxy]();
    worker.terminate();
    for (const reject of underWay) reject(reason);
    underWay.clear();
    tellEnd(reason);
  }
  worker.addEventListener('error', ({ message }) => end(stopped(message || 'it could not be started')));
  void whenWorkerEnds(worker).then((words) => end(stopped(words)));

  // Promise.race with one long-lived promise would keep every answer in memory for as long as the worker lives.
  const api = routeCalls<Api>(
    (operation, given) =>
      new Promise((resolve, reject) => {
        if (reasonOfEnd) return reject(reasonOfEnd);
        underWay.add(reject);
        callByName(remote, operation, given)
          .finally(() => underWay.delete(reject))
          .then(resolve, reject);
      }),
  );
  return {
    api,
    started: whenWorkerRuns(worker),
    ended,
    get isOver() {
      return reasonOfEnd !== null;
    },
    close: (reason = new Error('The worker was closed.')) => end(reason),
  };
}

/**
 * Starts a worker for one call, and ends it after the answer or when the signal aborts, whatever it is doing then.
 * @param stopped as for `linkWorker`
 * @throws the call's error; the signal's reason when it aborts
 */
export async function callOnce<Api extends Operations<Api>, Answer>(
  startWorker: () => Worker,
  stopped: (words: string) => Error,
  signal: AbortSignal,
  call: (api: Api) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted();
  const { api, close } = linkWorker<Api>(startWorker(), stopped);
  const giveUp = (): void => close(signal.reason as Error);
  signal.addEventListener('abort', giveUp);
  try {
    return await call(api);
  } finally {
    signal.removeEventListener('abort', giveUp);
    close();
  }
}

/**
 * The api of a worker that starts with the first call and, if it died, again with the next call. A new worker has
 * lost the state of the old one.
 */
export class WorkerOnDemand<Api extends Operations<Api>> {
  readonly #startWorker: () => Worker;
  readonly #stopped: (words: string) => Error;
  #link: WorkerLink<Api> | null = null;
  readonly api = routeCalls<Api>((operation, given) => callByName(this.#started().api, operation, given));

  constructor(startWorker: () => Worker, stopped: (words: string) => Error) {
    this.#startWorker = startWorker;
    this.#stopped = stopped;
  }

  get isRunning(): boolean {
    return this.#link?.isOver === false;
  }

  #started(): WorkerLink<Api> {
    return this.#link && !this.#link.isOver
      ? this.#link
      : (this.#link = linkWorker(this.#startWorker(), this.#stopped));
  }
}
