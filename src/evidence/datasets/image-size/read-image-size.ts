import { readHead } from '../item/content.ts';
import type { Content } from '../item/dataset-item.ts';
import { swapsSides } from './exif-orientation.ts';
import type { ImageHeader } from './image-header.ts';
import { readJpegSize } from './jpeg-size.ts';
import { readPngSize } from './png-size.ts';
import { readWebpSize } from './webp-size.ts';

const usualHeadBytes = 64 * 1024;
/** Read at most this much: colour profiles and previews precede the size in a JPEG, and can fill megabytes. */
const longestHeadBytes = 8 * 1024 * 1024;

/** Reads the header from the first bytes of a file; null for other file types, and if the bytes end before the size. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const header = readJpegSize(bytes) ?? readPngSize(bytes) ?? readWebpSize(bytes);
  if (header === null || header.stored.widthPx < 1 || header.stored.heightPx < 1) return null;
  const { widthPx, heightPx } = header.stored;
  const sizePx = swapsSides(header.orientation) ? { widthPx: heightPx, heightPx: widthPx } : header.stored;
  return { ...header, sizePx };
}

/** Reads as much of a content as the header needs; null if it is not a JPEG, PNG or WebP. */
export async function readImageSize(content: Content): Promise<ImageHeader | null> {
  const head = await readHead(content, usualHeadBytes);
  const header = readImageHeader(head);
  if (header || head.length < usualHeadBytes) return header;
  return readImageHeader(await readHead(content, longestHeadBytes));
}
