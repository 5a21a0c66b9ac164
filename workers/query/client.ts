import type { FromQueryWorker, QueryWorker, StartQueryWorker } from '../../src/data-service/face/query-engine.ts';

/**
 * Query workers as Web Workers. Browsers do not limit a worker's heap, so the bounds on stages and values
 * (`operatorBounds`) limit the memory, and the deadline ends the worker. `start` creates the worker of
 * `workers/query/entry.ts`; the bundler finds the entry where `start` is written.
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
