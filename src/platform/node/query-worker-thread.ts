import { parentPort } from 'node:worker_threads';
import { answerQueries } from '../../data-service/query/answer-queries.ts';
import type { ToQueryWorker } from '../../data-service/query/query-worker.ts';

// The entry of the thread that `query-worker.ts` starts.
const answer = answerQueries((message, transfer) => parentPort!.postMessage(message, transfer as ArrayBuffer[]));
parentPort!.on('message', (message: ToQueryWorker) => answer(message));
