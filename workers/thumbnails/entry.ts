import { openThumbnails } from '../../src/platform/browser/idb-thumbnails.ts';
import type { ThumbnailAnswer, ThumbnailQuestion } from './protocol.ts';

/** Workers have it; the types of a page leave it out. */
declare const FileReaderSync: new () => { readAsDataURL(blob: Blob): string };

const widthPx = 320;
const store = openThumbnails();
const answer = (message: ThumbnailAnswer): void => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<ThumbnailQuestion>) => {
  if (data.kind === 'find') {
    answer({ kind: 'found', number: data.number, urls: await store.find(data.ids) });
    return;
  }
  const drawn = new Map<string, string>();
  // One after the other: they are many, and the page that shows them wants a processor too.
  for (const { id, number, bytes, mimeType } of data.pictures) {
    const url = await draw(new Blob([bytes], { type: mimeType })).catch(() => null);
    answer({ kind: 'drawn', number, url });
    if (url !== null) drawn.set(id, url);
  }
  await store.put(drawn);
};

/** As the picture is stored, not turned by EXIF: as boxes and the machine see it. @throws DOMException if it cannot be decoded */
async function draw(image: Blob): Promise<string> {
  const options = { imageOrientation: 'none', resizeQuality: 'medium', resizeWidth: widthPx } as const;
  const bitmap = await createImageBitmap(image, options);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  bitmap.close();
  // JPEG has no transparency to keep; other pictures may have.
  const type = image.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
  return new FileReaderSync().readAsDataURL(await canvas.convertToBlob({ type, quality: 0.8 }));
}
