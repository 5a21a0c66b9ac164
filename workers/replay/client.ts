import { transfer } from 'comlink';
import type { ResultColumns } from '../../src/evidence/replay/result-columns.ts';
import { WorkerOnDemand } from '../boundary/worker-link.ts';
import type { ReplayApi } from './api.ts';

/** Filters stored results in a worker. */
export type ReplayClient = ReplayApi;

/** The worker starts with the first call, and again after it died: then it holds nothing. */
export function createReplayClient(startWorker: () => Worker): ReplayClient {
  const stopped = (words: string): Error => new Error(`The replay stopped: ${words}. Read the captures again.`);
  const { api } = new WorkerOnDemand<ReplayApi>(startWorker, stopped);
  return {
    begin: () => api.begin(),
    picture: (...asked) => api.picture(...asked),
    events: (...asked) => api.events(...asked),
    report: (...asked) => api.report(...asked),
    /** The columns are transferred: they and what shares their buffers are empty afterwards. */
    append: (reading, piece: ResultColumns) =>
      api.append(
        reading,
        transfer(piece, [piece.timesMs.buffer, piece.starts.buffer, piece.labels.buffer, piece.scores.buffer]),
      ),
  };
}
