import { openThumbnails } from '../src/platform/browser/idb-thumbnails.ts';
import type { ThumbnailAnswer, ThumbnailQuestion } from '../src/rpc/thumbnail-protocol.ts';

const widthPx = 320;
const store = openThumbnails();

self.onmessage = async ({ data }: MessageEvent<ThumbnailQuestion>) => {
  const { number } = data;
  if (data.kind === 'find') {
    const thumbnails = await store.find(data.ids);
    self.postMessage({ kind: 'found', number, thumbnails } satisfies ThumbnailAnswer);
    return;
  }
  const thumbnail = await draw(data.image).catch(() => null);
  self.postMessage({ kind: 'drawn', number, thumbnail } satisfies ThumbnailAnswer);
  if (thumbnail) await store.put(data.id, thumbnail);
};

/** As the picture is stored, not turned by EXIF: as boxes and the machine see it. @throws DOMException if it cannot be decoded */
async function draw(image: Blob): Promise<Blob> {
  const options = { imageOrientation: 'none', resizeQuality: 'medium', resizeWidth: widthPx } as const;
  const bitmap = await createImageBitmap(image, options);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  bitmap.close();
  // JPEG has no transparency to keep; other pictures may have.
  const type = image.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
  return canvas.convertToBlob({ type, quality: 0.8 });
}
