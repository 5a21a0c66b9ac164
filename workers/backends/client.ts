import { callOnce } from '../boundary/worker-link.ts';
import type { BackendsApi } from './api.ts';
import type { ComparisonTask, FoundDifference, SidesCompared } from './protocol.ts';

export type * from './protocol.ts';

const stopped = (words: string): Error => new Error(`What compares backends stopped: ${words}. Try it again.`);

const startOwnWorker = (): Worker =>
  new Worker(new URL('./entry.ts', import.meta.url), { type: 'module', name: 'backends' });

/**
 * Compares what two sides say of pictures, in a worker of its own, and ends the worker. `onProgress` receives 0..1.
 * @throws ModelSourceError, ModelError, InferenceError, ImageDecodeError, MachineError; the signal's reason when it aborts
 */
export function compareBackends(
  task: ComparisonTask,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
  documentBase = document.baseURI,
  startWorker = startOwnWorker,
): Promise<SidesCompared> {
  return callOnce(startWorker, stopped, signal, (api: BackendsApi) => api.compare(task, documentBase, onProgress));
}

/**
 * Finds where a model begins to differ on two sides, for the first picture of the task, in a worker of its own. `onRun` receives the
 * number of each run, 20 at most.
 * @throws as `compareBackends`
 */
export function findDifference(
  task: ComparisonTask,
  names: { readonly reference: string; readonly other: string },
  onRun: (run: number) => void,
  signal: AbortSignal,
  documentBase = document.baseURI,
  startWorker = startOwnWorker,
): Promise<FoundDifference> {
  return callOnce(startWorker, stopped, signal, (api: BackendsApi) =>
    api.findDifference(task, names, documentBase, onRun),
  );
}
