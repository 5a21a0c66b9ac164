import { readImageHeader } from './read-image-size.ts';

const entryBytes = 12;

/**
 * Removes the EXIF orientation from a picture, so that a browser decodes it as stored, in the coordinates of the machine's
 * boxes. `imageOrientation: 'none'` cannot be used: since a change of HTML in 2023 it means 'from-image' in Chromium.
 * Returns the same bytes if they have no orientation, otherwise a changed copy.
 */
export function withoutOrientation(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = readImageHeader(bytes);
  if (!header || header.orientation === 1 || header.orientationAt === null) return bytes;
  return bytes.slice().fill(0, header.orientationAt, header.orientationAt + entryBytes);
}
