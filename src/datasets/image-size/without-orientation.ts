import { readImageHeader } from './read-image-size.ts';

const entryBytes = 12;

/**
 * The bytes of a picture without its EXIF orientation, so that a browser decodes it as it is stored, where boxes and the
 * machine see it. `imageOrientation: 'none'` does not do it: since HTML's change of 2023 it means 'from-image' in Chromium.
 * The bytes are given back as they are where they say no orientation, else a copy.
 */
export function withoutOrientation(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = readImageHeader(bytes);
  if (!header || header.orientation === 1 || header.orientationAt === null) return bytes;
  return bytes.slice().fill(0, header.orientationAt, header.orientationAt + entryBytes);
}
