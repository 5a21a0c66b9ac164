/** Exists in workers only; the DOM types lack it. */
declare const FileReaderSync: new () => { readAsDataURL(blob: Blob): string };

const widthPx = 320;

/**
 * Draws a thumbnail as a data: URL. Unlike Blob URLs, those are shown without a request to another process. The
 * picture is drawn as it is stored, without its EXIF rotation, as boxes and the machine see it.
 * @throws DOMException if it cannot be decoded
 */
export async function drawThumbnail(image: Blob): Promise<string> {
  const options = { resizeQuality: 'medium', resizeWidth: widthPx } as const;
  const bitmap = await createImageBitmap(image, options);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  bitmap.close();
  // JPEG has no transparency; other pictures may have some.
  const type = image.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
  return new FileReaderSync().readAsDataURL(await canvas.convertToBlob({ type, quality: 0.8 }));
}
