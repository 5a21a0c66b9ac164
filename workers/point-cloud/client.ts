import type { PointCloud } from '../../src/ports/point-cloud.ts';
import { linkWorker } from '../boundary/worker-link.ts';
import type { PointCloudApi } from './api.ts';

/**
 * Reads a PCD file (ascii, binary, binary_compressed) in a worker.
 * @throws Error with a message for a person
 */
export type ReadPointCloud = (file: Blob, signal: AbortSignal) => Promise<PointCloud>;

/** Starts one worker for each file; aborting the signal ends it at once, whatever the file's size. */
export function createPointCloudClient(startWorker: () => Worker): ReadPointCloud {
  return async (file, signal) => {
    signal.throwIfAborted();
    const stopped = (words: string): Error => new Error(`What reads point clouds stopped: ${words}.`);
    const worker = linkWorker<PointCloudApi>(startWorker(), stopped);
    const giveUp = (): void => worker.close(signal.reason as Error);
    signal.addEventListener('abort', giveUp);
    try {
      return await worker.api.read(file);
    } finally {
      signal.removeEventListener('abort', giveUp);
      worker.close();
    }
  };
}
