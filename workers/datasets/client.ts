import { proxy, transfer } from 'comlink';
import { WorkerOnDemand } from '../boundary/worker-link.ts';
import type { DatasetApi } from './api.ts';

export type * from './protocol.ts';

/** Reads, writes and scans datasets in a worker. */
export type DatasetClient = DatasetApi;

/**
 * The worker starts with the first call; if it dies, the next call starts another, and datasets that were open must
 * be opened again. Byte arrays passed to it are transferred.
 */
export function createDatasetClient(startWorker: () => Worker): DatasetClient {
  const worker = new WorkerOnDemand<DatasetApi>(
    startWorker,
    (words) => new Error(`Reading and writing datasets stopped: ${words}. Try it again.`),
  );
  const { open, read, items, picture, knownScans, groupNearDuplicates, dependentPictures, compareFrames } = worker.api;
  return {
    open,
    read,
    items,
    picture,
    knownScans,
    groupNearDuplicates,
    dependentPictures,
    compareFrames,
    // The function is called after `join` has returned, when pictures are read: it must outlive the call.
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

/**
 * Lists each buffer once for transfer. Pictures that share a buffer are copied, since transferring it would detach
 * it for the others.
 */
function buffersOf(pictures: readonly { readonly bytes: Uint8Array<ArrayBuffer> }[]): ArrayBuffer[] {
  return pictures.flatMap(({ bytes }) => (bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []));
}
