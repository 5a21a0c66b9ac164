import { openThumbnails } from '../../src/platform/browser/indexed-db/idb-thumbnails.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import { withoutOrientation } from '../../src/evidence/datasets/face/image-size.ts';
import { whyUndrawn } from '../../src/machine/vision/face/image-kinds.ts';
import type { DrawnPicture, PictureBytes } from './protocol.ts';

export type ThumbnailApi = ReturnType<typeof createThumbnailApi>;

/** Draws thumbnails of stored pictures, and keeps them for later visits. */
export function createThumbnailApi() {
  const store = openThumbnails();
  return {
    /** The thumbnails that were drawn before, as data: URLs. */
    find: store.find.bind(store),
    /** Reports each picture by its index as soon as it is drawn, or that it cannot be drawn. */
    async draw(
      pictures: readonly PictureBytes[],
      onDrawn: (at: number, picture: DrawnPicture) => Promise<void> | void,
    ): Promise<void> {
      const drawn = new Map<string, string>();
      const told: Promise<void>[] = [];
      // One at a time: there may be many, and the page needs the processor too.
      for (const [at, { id, bytes, mimeType }] of pictures.entries()) {
        const picture: DrawnPicture = await drawThumbnail(
          new Blob([withoutOrientation(bytes)], { type: mimeType }),
        ).catch(() => ({ reason: whyUndrawn(bytes) }));
        told.push(Promise.resolve(onDrawn(at, picture)));
        if (typeof picture === 'string') drawn.set(id, picture);
      }
      await store.put(drawn);
      await Promise.all(told);
    },
  };
}
