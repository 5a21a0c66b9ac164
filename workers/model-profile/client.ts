import { transfer } from 'comlink';
import { callOnce } from '../boundary/worker-link.ts';
import { buffersOf } from '../inference/tensor-buffers.ts';
import type { ModelProfileApi } from './api.ts';
import type { ModelProfile, ProfileTask } from './protocol.ts';

export type * from './protocol.ts';

/**
 * Profiles a model in a worker of its own and ends the worker. Transfers the feeds. `onProgress` receives 0..1.
 * @throws ModelSourceError, InferenceError; the signal's reason when it aborts
 */
export function profileModel(
  startWorker: () => Worker,
  task: ProfileTask,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
  documentBase = document.baseURI,
): Promise<ModelProfile> {
  const stopped = (words: string): Error => new Error(`What profiles models stopped: ${words}. Try it again.`);
  const buffers = buffersOf(task.feeds);
  return callOnce(startWorker, stopped, signal, (api: ModelProfileApi) =>
    api.profile(transfer(task, buffers), documentBase, onProgress),
  );
}
