import { parentPort, workerData } from 'node:worker_threads';
import { answerQueries, readQueryRows, type ToQueryWorker } from '../../data-service/face/query-engine.ts';
import type { QueryWorkerData } from './query-worker.ts';

// The entry of the thread that `query-worker.ts` starts.
let read: ReturnType<typeof readQueryRows> | null = null;
const answer = answerQueries(
  (message, transfer) => parentPort!.postMessage(message, transfer as ArrayBuffer[]),
  async (query) => (read ??= readQueryRows(await openReader(workerData as QueryWorkerData)))(query),
);
parentPort!.on('message', (message: ToQueryWorker) => answer(message));

/** Each loads what it needs: a thread is started for a query that waits. */
async function openReader(store: QueryWorkerData) {
  if ('databaseUrl' in store) {
    const { openPostgresReader } = await import('./postgres-data-store/open-postgres-data-store.ts');
    return openPostgresReader(store.databaseUrl);
  }
  const { openSqliteReader } = await import('./sqlite-data-store/open-sqlite-data-store.ts');
  return openSqliteReader(store.databasePath);
}
