import { readExifOrientation } from './exif-orientation.ts';
import type { StoredHeader } from './image-header.ts';

/** Walks the markers of a JPEG up to its frame header (ITU-T T.81 annex B), which holds the size. */
export function readJpegSize(bytes: Uint8Array): StoredHeader | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  let exif: ReturnType<typeof readExifOrientation> | undefined;
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++; // fill byte
      continue;
    }
    const segmentBytes = (bytes[at + 2]! << 8) | bytes[at + 3]!;
    if (isFrameHeader(marker)) {
      const heightPx = (bytes[at + 5]! << 8) | bytes[at + 6]!;
      const widthPx = (bytes[at + 7]! << 8) | bytes[at + 8]!;
      const { orientation = 1, at: orientationAt = null } = exif ?? {};
      return { kind: 'jpeg', stored: { widthPx, heightPx }, orientation, orientationAt };
    }
    if (marker === 0xda || marker === 0xd9) return null;
    // If there are several EXIF segments, use the first one, as browsers do.
    if (exif === undefined && marker === 0xe1 && startsWithExif(bytes, at + 4)) {
      const found = readExifOrientation(bytes.subarray(at + 10, at + 2 + segmentBytes));
      exif = found && { ...found, at: at + 10 + found.at };
    }
    at += 2 + segmentBytes;
  }
  return null;
}

/** Whether a marker is a frame header, SOF0…SOF15. C4, C8 and CC in that range are tables and extensions. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function startsWithExif(bytes: Uint8Array, at: number): boolean {
  return [0x45, 0x78, 0x69, 0x66, 0, 0].every((byte, i) => bytes[at + i] === byte);
}
