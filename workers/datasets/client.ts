import { connectDatasetWorker } from './dataset-worker.ts';
import type { DatasetEngine } from './protocol.ts';

export type * from './protocol.ts';

/** Reads, writes and looks at datasets aside. */
export type DatasetClient = DatasetEngine;

/** The worker starts with the first call; after a death the next call starts another. What was open is closed then. */
export function createDatasetClient(startWorker: () => Worker): DatasetClient {
  let running: DatasetEngine | null = null;

  function current(): DatasetEngine {
    if (running) return running;
    const { engine, ended } = connectDatasetWorker(startWorker());
    ended.catch(() => (running = null));
    return (running = engine);
  }

  return {
    open: (source) => current().open(source),
    read: (...call) => current().read(...call),
    items: (...call) => current().items(...call),
    picture: (...call) => current().picture(...call),
    close: async (dataset) => running?.close(dataset),
    write: (...call) => current().write(...call),
    knownLooks: (ids) => current().knownLooks(ids),
    look: (pictures) => current().look(pictures),
    groupAlike: (...call) => current().groupAlike(...call),
  };
}
