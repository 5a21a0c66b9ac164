import { WorkerOnDemand } from '../boundary/worker-link.ts';
import type { EvaluationApi, PackedAnswers } from './api.ts';
import { unpackErrors } from './pack-errors.ts';

export type * from './protocol.ts';

/** Matches detections to truth in a worker. */
export type EvaluationClient = EvaluationApi;

/** The worker starts with the first call, and again after it died. What is passed to it is copied. */
export function createEvaluationClient(startWorker: () => Worker): EvaluationClient {
  const stopped = (words: string): Error => new Error(`Counting stopped: ${words}. Try it again.`);
  const { api } = new WorkerOnDemand<PackedAnswers>(startWorker, stopped);
  return {
    begin: (...asked) => api.begin(...asked),
    add: (...asked) => api.add(...asked),
    count: (...asked) => api.count(...asked),
    report: (...asked) => api.report(...asked),
    measurePair: (...asked) => api.measurePair(...asked),
    comparePair: (...asked) => api.comparePair(...asked),
    reportPair: (...asked) => api.reportPair(...asked),
    async tellErrors(...asked) {
      const told = await api.tellErrors(...asked);
      return told && { ...told, errors: { ...told.errors, errors: unpackErrors(told.errors.errors) } };
    },
  };
}
