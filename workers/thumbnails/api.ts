import { openThumbnails } from '../../src/platform/browser/idb-thumbnails.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import { withoutOrientation } from '../../src/datasets/image-size/without-orientation.ts';
import { whyUndrawn } from '../../src/vision/image-kind.ts';
import type { DrawnPicture, PictureBytes } from './protocol.ts';

export type ThumbnailApi = ReturnType<typeof createThumbnailApi>;

/** Draws small pictures of stored ones, and remembers them from visit to visit. */
export function createThumbnailApi() {
  const store = openThumbnails();
  return {
    /** Those that were drawn before, as data: URLs. */
    find: store.find.bind(store),
    /** Tells each by its place as soon as it is drawn, or that it cannot be. */
    async draw(
      pictures: readonly PictureBytes[],
      onDrawn: (at: number, picture: DrawnPicture) => Promise<void> | void,
    ): Promise<void> {
      const drawn = new Map<string, string>();
      const told: Promise<void>[] = [];
      // One after the other: they are many, and the page that shows them wants a processor too.
      for (const [at, { id, bytes, mimeType }] of pictures.entries()) {
        const picture: DrawnPicture = await drawThumbnail(
          new Blob([withoutOrientation(bytes)], { type: mimeType }),
        ).catch(() => ({
          reason: whyUndrawn(bytes),
        }));
        told.push(Promise.resolve(onDrawn(at, picture)));
        if (typeof picture === 'string') drawn.set(id, picture);
      }
      await store.put(drawn);
      await Promise.all(told);
    },
  };
}
