import type { PointCloud } from '../../src/ports/point-cloud.ts';
import type { PointCloudAnswer, PointCloudQuestion } from './protocol.ts';

/** Reads a PCD file (ascii, binary, binary_compressed) off the page. @throws Error in words for a person */
export type ReadPointCloud = (file: Blob, signal: AbortSignal) => Promise<PointCloud>;

/** A worker a file: giving up ends it, however large the file is. */
export function createPointCloudClient(startWorker: () => Worker): ReadPointCloud {
  return (file, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const worker = startWorker();
      const end = (settle: () => void): void => {
        worker.terminate();
        signal.removeEventListener('abort', abort);
        settle();
      };
      const abort = (): void => end(() => reject(signal.reason as Error));
      signal.addEventListener('abort', abort);
      worker.onmessage = ({ data }: MessageEvent<PointCloudAnswer>) =>
        end(() => ('cloud' in data ? resolve(data.cloud) : reject(new Error(data.failure))));
      worker.onerror = (event) => end(() => reject(new Error(event.message || 'What reads point clouds stopped.')));
      worker.postMessage({ file } satisfies PointCloudQuestion);
    });
}
