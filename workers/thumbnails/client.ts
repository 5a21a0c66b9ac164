import { transfer } from 'comlink';
import { WorkerOnDemand } from '../boundary/worker-link.ts';
import type { ThumbnailApi } from './api.ts';
import type { DrawnPicture, PictureBytes } from './protocol.ts';

export type ThumbnailClient = ReturnType<typeof createThumbnailClient>;

/**
 * The worker starts with the first call. If it dies, the pending pictures fail, and the next call starts it again.
 */
export function createThumbnailClient(startWorker: () => Worker) {
  const { api } = new WorkerOnDemand<ThumbnailApi>(startWorker, (words) => new Error(`Drawing stopped: ${words}.`));
  return {
    /** The thumbnails that were drawn before, as data: URLs. */
    find: (ids: readonly string[]) => api.find(ids).catch(() => new Map<string, string>()),
    /**
     * Draws thumbnails; returns one promise for each picture, in the same order. The bytes are transferred: they
     * and everything that shares their buffers are empty afterwards.
     */
    draw(pictures: readonly PictureBytes[]): readonly Promise<DrawnPicture>[] {
      const tell: ((picture: DrawnPicture) => void)[] = [];
      const urls = pictures.map(() => new Promise<DrawnPicture>((resolve) => tell.push(resolve)));
      const buffers = [...new Set(pictures.map(({ bytes }) => bytes.buffer))];
      const drawing = api.draw(transfer([...pictures], buffers), (at, picture) => tell[at]!(picture));
      void drawing.catch(() =>
        tell.forEach((resolve) => resolve({ reason: 'Drawing it stopped. Look at it once more.' })),
      );
      return urls;
    },
  };
}
