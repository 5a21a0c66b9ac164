import { parentPort, workerData } from 'node:worker_threads';
import { answerQueries } from '../../data-service/query/answer-queries.ts';
import { readQueryRows } from '../../data-service/query/query-rows.ts';
import type { ToQueryWorker } from '../../data-service/query/query-worker.ts';
import type { QueryWorkerData } from './query-worker.ts';
import { openSqliteReader, type SqliteReader } from './sqlite-data-store/open-sqlite-data-store.ts';

// The entry of the thread that `query-worker.ts` starts.
const { databasePath } = workerData as QueryWorkerData;
let reader: SqliteReader | null = null;
const answer = answerQueries(
  (message, transfer) => parentPort!.postMessage(message, transfer as ArrayBuffer[]),
  async (query) => readQueryRows((reader ??= await openSqliteReader(databasePath)))(query),
);
parentPort!.on('message', (message: ToQueryWorker) => answer(message));
