import type { DataContext } from '../../context/data-context.ts';
import { memoizeByObject } from '../../../../base/schedule/memoize-by-object.ts';
import { ThumbnailCache } from './thumbnail-cache.ts';

/** About three frames: after this, cells of a fast scroll are out of sight. */
const restMs = 50;

/** The thumbnails of a data service, one cache for all lists. */
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
