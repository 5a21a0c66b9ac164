import { readExifOrientation } from './exif-orientation.ts';

const entryBytes = 12;

/**
 * Removes the EXIF orientation from a JPEG, PNG or WebP, so that every browser decodes it as stored, in the coordinates of
 * the machine's boxes. Options of the browser cannot do that: since a change of HTML in 2023 `imageOrientation: 'none'`
 * means 'from-image' in Chromium. Which EXIF data counts where a file has several, and whether that of a WebP does,
 * browsers decide differently, so it is removed from all.
 * @param bytes of a file
 * @returns the same bytes if they have no orientation, or are another kind of file; otherwise a changed copy
 * @example
 * const bytes = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
 * withoutOrientation(bytes) === bytes; // => true
 */
export function withoutOrientation(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let copy = bytes;
  for (const [start, end] of exifParts(bytes)) {
    const found = readExifOrientation(bytes.subarray(start, end));
    if (!found || found.orientation === 1) continue;
    if (copy === bytes) copy = bytes.slice();
    copy.fill(0, start + found.at, start + found.at + entryBytes);
  }
  return copy;
}

type Part = readonly [start: number, end: number];

/** Where the TIFF structures of EXIF lie in a file. */
function exifParts(bytes: Uint8Array): Iterable<Part> {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return partsOfJpeg(bytes);
  if (startsWith(bytes, 1, 'PNG\r\n')) return partsOfPng(bytes);
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return partsOfWebp(bytes);
  return [];
}

/** Walks the segments before the pixels (ITU-T T.81 annex B). */
function* partsOfJpeg(bytes: Uint8Array): Generator<Part> {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++; // fill byte
      continue;
    }
    if (marker === 0xda || marker === 0xd9) return;
    const end = at + 2 + ((bytes[at + 2]! << 8) | bytes[at + 3]!);
    if (marker === 0xe1 && startsWith(bytes, at + 4, 'Exif\0')) yield [at + 10, end];
    at = end;
  }
}

/** Walks the chunks (PNG 3rd edition §5.3). */
function* partsOfPng(bytes: Uint8Array): Generator<Part> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + view.getUint32(at);
    if (startsWith(bytes, at + 4, 'eXIf')) yield [at + 8, end - 4];
    at = end;
  }
}

/** Walks the chunks, which are of even length (RFC 9649 §2.3). Some writers put the header of a JPEG's segment before the structure. */
function* partsOfWebp(bytes: Uint8Array): Generator<Part> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true);
    const start = at + 8;
    if (startsWith(bytes, at, 'EXIF')) yield [startsWith(bytes, start, 'Exif\0') ? start + 6 : start, start + size];
    at = start + size + (size % 2);
  }
}

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
