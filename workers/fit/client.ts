import { linkWorker, type WorkerLink } from '../boundary/worker-link.ts';
import type { FitApi } from './api.ts';
import type {
  DecodingAlone,
  FitProgress,
  FitReport,
  FitSource,
  FitWish,
  ModelRecognition,
  TrialModel,
} from './protocol.ts';

export type * from './protocol.ts';

export type FitClient = ReturnType<typeof createFitClient>;

/** Rewrites models in a worker. It starts with the first call, and `end` frees its memory. */
export function createFitClient(startWorker: () => Worker, documentBase = document.baseURI) {
  let link: WorkerLink<FitApi> | null = null;
  const stopped = (words: string): Error => new Error(`Fitting stopped: ${words}. Try it again.`);
  const api = (): FitApi => {
    if (!link || link.isOver) link = linkWorker<FitApi>(startWorker(), stopped);
    return link.api;
  };
  return {
    /**
     * Recognises the model's family.
     * @throws ModelSourceError, ModelError
     */
    recognise: (model: FitSource): Promise<ModelRecognition> => api().recognise(model, documentBase),
    /**
     * Rewrites the model so that the machine can read it.
     * @throws FitError, ModelSourceError, ModelError
     */
    fit: (model: FitSource, wish: FitWish, onProgress: (progress: FitProgress) => void): Promise<FitReport> =>
      api().fit(model, wish, documentBase, onProgress),
    /**
     * Only the part that a fit adds behind the network.
     * @throws as fit
     */
    decoding: (model: FitSource, wish: FitWish): Promise<DecodingAlone | null> =>
      api().decoding(model, wish, documentBase),
    /**
     * The model with none of its feeding in the graph, for labelled pictures.
     * @throws as fit
     */
    feedingTrial: (model: FitSource, wish: FitWish): Promise<TrialModel> =>
      api().feedingTrial(model, wish, documentBase),
    /** The model that `fit` wrote last. */
    fittedModel: (): Promise<Blob> => api().fittedModel(),
    /** The files of the last result as one .zip. */
    archive: (): Promise<Blob> => api().archive(),
    /** Ends the worker; pending calls reject with `reason`, and the last result is lost. */
    end(reason: Error = new Error('Fitting was stopped.')): void {
      link?.close(reason);
      link = null;
    },
  };
}
