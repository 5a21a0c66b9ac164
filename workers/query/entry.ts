import { answerQueries } from '../../src/data-service/query/answer-queries.ts';
import type { ToQueryWorker } from '../../src/data-service/query/query-worker.ts';

const answer = answerQueries((message, transfer) => self.postMessage(message, { transfer: transfer as ArrayBuffer[] }));
self.addEventListener('message', ({ data }: MessageEvent<ToQueryWorker>) => answer(data));
