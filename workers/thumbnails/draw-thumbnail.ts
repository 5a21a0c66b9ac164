/** Workers have it; the types of a page leave it out. */
declare const FileReaderSync: new () => { readAsDataURL(blob: Blob): string };

const widthPx = 320;

/**
 * A small picture as a data: URL. Unlike Blobs, those are shown without another process being asked for each.
 * As the picture is stored, not turned by EXIF: as boxes and the machine see it. @throws DOMException if it cannot be decoded
 */
export async function drawThumbnail(image: Blob): Promise<string> {
  const options = { resizeQuality: 'medium', resizeWidth: widthPx } as const;
  const bitmap = await createImageBitmap(image, options);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  bitmap.close();
  // JPEG has no transparency to keep; other pictures may have.
  const type = image.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
  return new FileReaderSync().readAsDataURL(await canvas.convertToBlob({ type, quality: 0.8 }));
}
