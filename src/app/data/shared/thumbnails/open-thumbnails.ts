import type { DataContext } from '../../context/data-context.ts';
import { oneForEach } from '../../../kit/schedule/one-for-each.ts';
import { ThumbnailShelf } from './thumbnail-shelf.ts';

/** About three frames: cells that fly past in a fast scroll are gone by then. */
const restMs = 50;

/** The small pictures of a data service; the same shelf for every list, so that coming back shows them at once. */
export const thumbnailsOf = oneForEach(
  (context: DataContext) =>
    new ThumbnailShelf({
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
