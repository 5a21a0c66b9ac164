import { transfer } from 'comlink';
import { callOnce } from '../boundary/worker-link.ts';
import type { FeedingApi } from './api.ts';
import type { FeedingPhase, FeedingTask, FoundFeeding } from './protocol.ts';

export type * from './protocol.ts';

/**
 * Searches for a model's recipe in a worker of its own and ends the worker. Transfers the bytes of the pictures. `onProgress` receives the phase
 * and 0..1 of it.
 * @throws FeedingError, ModelSourceError, FitError, ModelError, InferenceError; the signal's reason when it aborts
 */
export function measureFeeding(
  startWorker: () => Worker,
  task: FeedingTask,
  onProgress: (phase: FeedingPhase, fraction: number) => void,
  signal: AbortSignal,
  documentBase = document.baseURI,
): Promise<FoundFeeding> {
  const stopped = (words: string): Error => new Error(`What measures feedings stopped: ${words}. Try it again.`);
  const buffers = [...new Set(task.pictures.map(({ bytes }) => bytes.buffer))];
  return callOnce(startWorker, stopped, signal, (api: FeedingApi) =>
    api.measure(transfer(task, buffers), documentBase, onProgress),
  );
}
