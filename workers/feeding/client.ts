import { transfer } from 'comlink';
import { linkWorker } from '../boundary/worker-link.ts';
import type { FeedingApi } from './api.ts';
import type { FeedingPhase, FeedingTask, FoundFeeding } from './protocol.ts';

export type * from './protocol.ts';

/**
 * Searches for a model's recipe in a worker of its own and ends the worker. Transfers the bytes of the pictures. `onProgress` receives the phase
 * and 0..1 of it.
 * @throws FeedingError, ModelSourceError, FitError, ModelError, InferenceError; the signal's reason when it aborts
 */
export async function measureFeeding(
  startWorker: () => Worker,
  task: FeedingTask,
  onProgress: (phase: FeedingPhase, fraction: number) => void,
  signal: AbortSignal,
  documentBase = document.baseURI,
): Promise<FoundFeeding> {
  signal.throwIfAborted();
  const stopped = (words: string): Error => new Error(`What measures feedings stopped: ${words}. Try it again.`);
  const { api, close } = linkWorker<FeedingApi>(startWorker(), stopped);
  const giveUp = (): void => close(signal.reason as Error);
  signal.addEventListener('abort', giveUp);
  const buffers = [...new Set(task.pictures.map(({ bytes }) => bytes.buffer))];
  try {
    return await api.measure(transfer(task, buffers), documentBase, onProgress);
  } finally {
    signal.removeEventListener('abort', giveUp);
    close();
  }
}
