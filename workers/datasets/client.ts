import { proxy, transfer } from 'comlink';
import { WorkerOnDemand } from '../boundary/worker-link.ts';
import type { DatasetApi } from './api.ts';

export type * from './protocol.ts';

/** Reads, writes and scans datasets aside. */
export type DatasetClient = DatasetApi;

/**
 * The worker starts with the first call; after a death the next call starts another. What was open is closed then. Bytes
 * that are passed are the worker's.
 */
export function createDatasetClient(startWorker: () => Worker): DatasetClient {
  const worker = new WorkerOnDemand<DatasetApi>(
    startWorker,
    (words) => new Error(`Reading and writing datasets stopped: ${words}. Try it again.`),
  );
  const { open, read, items, picture, knownScans, groupNearDuplicates } = worker.api;
  return {
    ...{ open, read, items, picture, knownScans, groupNearDuplicates },
    // It outlives the call: pictures are read later.
    join: (dataset, stored, readBytes) => worker.api.join(dataset, stored, proxy(readBytes)),
    close: async (dataset) => (worker.isRunning ? worker.api.close(dataset) : undefined),
    write(request, next, signal) {
      const handOver = async () => {
        const pictures = [...(await next())];
        return transfer(pictures, buffersOf(pictures));
      };
      return worker.api.write(request, handOver, signal);
    },
    scan: (pictures) => worker.api.scan(transfer([...pictures], buffersOf(pictures))),
  };
}

/** Each memory once: pictures that share one are copied, since the others would lose theirs. */
function buffersOf(pictures: readonly { readonly bytes: Uint8Array<ArrayBuffer> }[]): ArrayBuffer[] {
  return pictures.flatMap(({ bytes }) => (bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []));
}
