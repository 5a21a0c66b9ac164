import type { DataContext } from '../../context/data-context.ts';
import { memoizeByObject } from '../../../../schedule/memoize-by-object.ts';
import { ThumbnailCache } from './thumbnail-cache.ts';

/** About three frames: cells that fly past in a fast scroll are gone by then. */
const restMs = 50;

/** The small pictures of a data service; the same cache for every list, so that coming back shows them at once. */
export const thumbnailsOf = memoizeByObject(
  (context: DataContext) =>
    new ThumbnailCache({
      client: context.thumbnails,
      later: (run) => setTimeout(run, restMs),
      async fetch(ids, signal) {
        const answer = await context.data.binaryDataByIDs({ binaryDataIds: [...ids], includeBinary: true }, { signal });
        return answer.data.map(({ binary, metadata }) => ({
          id: metadata!.binaryDataId,
          bytes: binary as Uint8Array<ArrayBuffer>,
          mimeType: metadata!.captureMetadata?.mimeType ?? '',
        }));
      },
    }),
);
