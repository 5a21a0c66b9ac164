import { imageKindOf, unreadableImage } from '../../../machine/vision/face/image-kinds.ts';

const headBytes = 1024;

/**
 * Says why a file that is called a picture is none, by its first bytes; the browser is asked of those that are unknown.
 * What is damaged further inside shows when it is drawn.
 * @param isDrawn whether the browser can decode it
 * @returns null: it is one
 */
export async function whyNoPicture(
  file: Blob,
  isDrawn: (file: Blob) => Promise<boolean> = drawnHere,
): Promise<string | null> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const isUsual = (head[0] === 0xff && head[1] === 0xd8) || (head[0] === 0x89 && head[1] === 0x50);
  if (isUsual || ['WebP', 'GIF', 'BMP', 'AVIF'].includes(imageKindOf(head) ?? '')) return null;
  return (await isDrawn(file)) ? null : unreadableImage(head);
}

/** Without its type, by which alone a browser knows an SVG, so that only pixels are taken, as on the stage. */
const drawnHere = (file: Blob): Promise<boolean> =>
  createImageBitmap(file.slice()).then(
    (bitmap) => (bitmap.close(), true),
    () => false,
  );
