import { releaseProxy, wrap, type Remote } from 'comlink';
import { installComlinkHandlers } from '../../boundary/comlink-handlers.ts';
import { whenWorkerEnds } from '../../boundary/worker-life.ts';
import type { VisionWorkerApi } from '../api.ts';

export interface VisionWorkerLink {
  readonly api: Remote<VisionWorkerApi>;
  /** Rejects with WorkerCrash when the worker dies; never resolves. */
  readonly crashed: Promise<never>;
  /** Settles as the call does, or rejects when the worker dies first: a dead worker answers nothing. */
  answer<T>(call: Promise<T>): Promise<T>;
  close(): void;
}

/** The worker died under a call, which was lost with it. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
  readonly code = 'worker-crashed';
}

/** The page's half of the boundary. Takes the worker over: close() ends it. */
export function connectVisionWorker(worker: Worker): VisionWorkerLink {
  installComlinkHandlers();
  const api = wrap<VisionWorkerApi>(worker);
  const crashed = new Promise<never>((_, reject) => {
    const crash = (words: string): void => reject(new WorkerCrash(`The vision worker stopped: ${words}.`));
    worker.addEventListener('error', (event) => crash(event.message || 'it could not be started'));
    void whenWorkerEnds(worker).then(crash);
  });
  crashed.catch(() => undefined); // a crash between calls is nobody's unhandled rejection
  return {
    api,
    crashed,
    answer: (call) => Promise.race([call, crashed]),
    close() {
      api[releaseProxy]();
      worker.terminate();
    },
  };
}
