import { linkWorker } from '../boundary/worker-link.ts';
import type { GraphApi } from './api.ts';
import type { GraphSource, GraphView } from './protocol.ts';

export type * from './protocol.ts';

/** One model's graph, read in a worker. */
export interface GraphClient {
  /** @throws ModelSourceError, ModelError if the model could not be read */
  readonly show: (unfolded: readonly number[]) => Promise<GraphView>;
  /** Ends the worker and its pending calls. */
  readonly end: () => void;
}

/** Starts a worker that reads a model's graph; the caller ends it. */
export function openGraph(
  startWorker: () => Worker,
  source: GraphSource,
  documentBase = document.baseURI,
): GraphClient {
  const stopped = (words: string): Error => new Error(`What reads graphs stopped: ${words}. Open the graph again.`);
  const { api, close } = linkWorker<GraphApi>(startWorker(), stopped);
  const reading = api.read(source, documentBase);
  // `show` reports the failure.
  reading.catch(() => undefined);
  return {
    show: (unfolded) => reading.then(() => api.show(unfolded)),
    end: () => close(new Error('The graph was closed.')),
  };
}
