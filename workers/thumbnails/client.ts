import { transfer } from 'comlink';
import { WorkerOnDemand } from '../boundary/worker-link.ts';
import type { ThumbnailApi } from './api.ts';
import type { DrawnPicture, PictureBytes } from './protocol.ts';

export type ThumbnailClient = ReturnType<typeof createThumbnailClient>;

/** The worker starts with the first question; when it dies, what was asked has no picture, and the next question starts it again. */
export function createThumbnailClient(startWorker: () => Worker) {
  const { api } = new WorkerOnDemand<ThumbnailApi>(startWorker, (words) => new Error(`Drawing stopped: ${words}.`));
  return {
    /** Those that were drawn before, as data: URLs. */
    find: (ids: readonly string[]) => api.find(ids).catch(() => new Map<string, string>()),
    /**
     * What came of each, in their order, as it is drawn. The bytes go
     * to the worker as they are: here they are empty afterwards, and what shares their buffers too.
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
