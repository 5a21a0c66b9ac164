import type { FromQueryWorker, QueryWorker, StartQueryWorker } from '../../src/data-service/query/query-worker.ts';

/**
 * Query workers as Web Workers. Browsers let nobody bound a worker's heap: there the bounds on stages and values
 * (`operatorBounds`) hold the memory, and the deadline ends the worker.
 * `start` makes the worker of `workers/query/entry.ts`; where it is written, the bundler finds the entry.
 */
export function browserQueryWorkers(start: () => Worker): StartQueryWorker {
  return () => {
    const thread = start();
    const worker: QueryWorker = {
      post: (message, transfer) => thread.postMessage(message, { transfer: (transfer ?? []) as ArrayBuffer[] }),
      onMessage: () => {},
      onEnd: () => {},
      terminate: () => thread.terminate(),
    };
    thread.onmessage = ({ data }: MessageEvent<FromQueryWorker>) => worker.onMessage(data);
    thread.onerror = (event) => worker.onEnd(new Error(`The query worker failed: ${event.message}`));
    return worker;
  };
}
