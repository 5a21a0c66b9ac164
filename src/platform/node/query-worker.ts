import { Worker } from 'node:worker_threads';
import { outOfMemory } from '../../data-service/face/queries.ts';
import type { FromQueryWorker, QueryWorker, StartQueryWorker } from '../../data-service/face/query-engine.ts';

/** What a thread is started with: the open store that it reads. */
export type QueryWorkerData = { readonly databasePath: string } | { readonly databaseUrl: string };

/**
 * Query workers as threads of this process, each with a bounded heap and a connection of its own that can only read, so
 * that no query holds this thread up while it reads.
 * `entry` is the built `query-worker-thread`, the source file beside this one by default.
 */
export function nodeQueryWorkers(
  store: QueryWorkerData,
  entry: URL = new URL('./query-worker-thread.ts', import.meta.url),
): StartQueryWorker {
  return (maxMemoryBytes) => {
    const thread = new Worker(entry, {
      workerData: store,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryBytes / 1024 / 1024, maxYoungGenerationSizeMb: 32 },
      env: {},
      argv: [],
      execArgv: [],
      // V8 prints the heap of a thread that ran full
      stdout: false,
      stderr: true,
    });
    thread.unref(); // a kept worker shall not keep the process
    const worker: QueryWorker = {
      post: (message, transfer) => thread.postMessage(message, transfer as ArrayBuffer[] | undefined),
      onMessage: () => {},
      onEnd: () => {},
      terminate: () => void thread.terminate(),
      // a thread of Node before 24.6 does not tell it
      ...('cpuUsage' in thread && { processorMs: () => processorMsOf(thread) }),
    };
    thread.on('message', (message: FromQueryWorker) => worker.onMessage(message));
    thread.on('error', (error: NodeJS.ErrnoException) =>
      worker.onEnd(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory({ maxMemoryBytes }) : error),
    );
    thread.on('exit', (code) => worker.onEnd(new Error(`The query worker ended by itself with code ${code}.`)));
    return worker;
  };
}

async function processorMsOf(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1000;
}
