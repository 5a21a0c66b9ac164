import { answerQueries } from '../src/data-service/query/answer-queries.ts';
import type { StartQueryWorker } from '../src/data-service/query/query-worker.ts';

/**
 * A query worker in the caller's thread, for tests. It gives the same answers, but cannot be terminated. Messages are
 * cloned, as between threads.
 */
export const inlineQueryWorker: StartQueryWorker = () => {
  const answer = answerQueries((message) => queueMicrotask(() => worker.onMessage(structuredClone(message))));
  const worker: ReturnType<StartQueryWorker> = {
    post: (message) => answer(structuredClone(message)),
    onMessage: () => {},
    onEnd: () => {},
    terminate: () => {},
  };
  return worker;
};
