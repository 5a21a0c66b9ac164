import type { PointCloud } from '../../src/platform/ports/point-cloud.ts';
import { callOnce } from '../boundary/worker-link.ts';
import type { PointCloudApi } from './api.ts';

/**
 * Reads a PCD file (ascii, binary, binary_compressed) in a worker.
 * @throws Error with a message for a person
 */
export type ReadPointCloud = (file: Blob, signal: AbortSignal) => Promise<PointCloud>;

/** Starts one worker for each file; aborting the signal ends it at once, whatever the file's size. */
export function createPointCloudClient(startWorker: () => Worker): ReadPointCloud {
  const stopped = (words: string): Error => new Error(`What reads point clouds stopped: ${words}.`);
  return (file, signal) => callOnce(startWorker, stopped, signal, (api: PointCloudApi) => api.read(file));
}
