import { WorkerOnDemand } from '../boundary/worker-link.ts';
import type { EvaluationApi } from './api.ts';

export type * from './protocol.ts';

/** Matches detections to truth in a worker. */
export type EvaluationClient = EvaluationApi;

/** The worker starts with the first call, and again after it died. What is passed to it is copied. */
export function createEvaluationClient(startWorker: () => Worker): EvaluationClient {
  const stopped = (words: string): Error => new Error(`Counting stopped: ${words}. Try it again.`);
  return new WorkerOnDemand<EvaluationApi>(startWorker, stopped).api;
}
