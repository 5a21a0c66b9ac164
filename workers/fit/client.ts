import { linkWorker, type WorkerLink } from '../boundary/worker-link.ts';
import type { FitApi } from './api.ts';
import type { DecodingAlone, FitProgress, FitReport, FitSource, FitWish, ModelRecognition } from './protocol.ts';

export type * from './protocol.ts';

export type FitClient = ReturnType<typeof createFitClient>;

/** Rewrites models off the page. The worker starts with the first call, and `end` gives its memory back. */
export function createFitClient(startWorker: () => Worker, documentBase = document.baseURI) {
  let link: WorkerLink<FitApi> | null = null;
  const stopped = (words: string): Error => new Error(`Fitting stopped: ${words}. Try it again.`);
  const api = (): FitApi => {
    if (!link || link.isOver) link = linkWorker<FitApi>(startWorker(), stopped);
    return link.api;
  };
  return {
    /** What a model is taken for. @throws ModelSourceError, ModelError */
    recognise: (model: FitSource): Promise<ModelRecognition> => api().recognise(model, documentBase),
    /** Writes it as the machine takes it. @throws FitError, ModelSourceError, ModelError */
    fit: (model: FitSource, wish: FitWish, onProgress: (progress: FitProgress) => void): Promise<FitReport> =>
      api().fit(model, wish, documentBase, onProgress),
    /** What a wish puts behind the network, alone. @throws as fit */
    decoding: (model: FitSource, wish: FitWish): Promise<DecodingAlone | null> =>
      api().decoding(model, wish, documentBase),
    /** The model that `fit` wrote last. */
    fittedModel: (): Promise<Blob> => api().fittedModel(),
    /** Its files as one .zip. */
    archive: (): Promise<Blob> => api().archive(),
    /** Ends what is under way, which then rejects with `reason`, and forgets what was written. */
    end(reason: Error = new Error('Fitting was given up.')): void {
      link?.close(reason);
      link = null;
    },
  };
}
