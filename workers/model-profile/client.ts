import { transfer } from 'comlink';
import { linkWorker } from '../boundary/worker-link.ts';
import { buffersOf } from '../inference/tensor-buffers.ts';
import type { ModelProfileApi } from './api.ts';
import type { ModelProfile, ProfileTask } from './protocol.ts';

export type * from './protocol.ts';

/**
 * Profiles a model in a worker of its own and ends the worker. Transfers the feeds. `onProgress` receives 0..1.
 * @throws ModelSourceError, InferenceError; the signal's reason when it aborts
 */
export async function profileModel(
  startWorker: () => Worker,
  task: ProfileTask,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
  documentBase = document.baseURI,
): Promise<ModelProfile> {
  signal.throwIfAborted();
  const stopped = (words: string): Error => new Error(`What profiles models stopped: ${words}. Try it again.`);
  const { api, close } = linkWorker<ModelProfileApi>(startWorker(), stopped);
  const giveUp = (): void => close(signal.reason as Error);
  signal.addEventListener('abort', giveUp);
  try {
    return await api.profile(transfer(task, buffersOf(task.feeds)), documentBase, onProgress);
  } finally {
    signal.removeEventListener('abort', giveUp);
    close();
  }
}
