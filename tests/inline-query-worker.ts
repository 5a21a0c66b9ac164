import { answerQueries } from '../src/data-service/query/answer-queries.ts';
import type { StartQueryWorker } from '../src/data-service/query/query-worker.ts';

/**
 * A query worker in the caller's own thread, for tests: it answers the same, and nothing ends it before it is done.
 * Messages are cloned, as on the way to another thread.
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
