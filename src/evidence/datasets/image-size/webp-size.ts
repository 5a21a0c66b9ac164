import type { StoredHeader } from './image-header.ts';

/**
 * Reads the size from the first chunk of a WebP (RFC 9649 §2.5–2.7): extended, lossless or lossy. The orientation is
 * always 1, because browsers ignore the EXIF data of WebP, which follows the pixels.
 */
export function readWebpSize(bytes: Uint8Array): StoredHeader | null {
  if (bytes.length < 30 || letters(bytes, 0) !== 'RIFF' || letters(bytes, 8) !== 'WEBP') return null;
  const header = (widthPx: number, heightPx: number): StoredHeader => ({
    kind: 'webp',
    stored: { widthPx, heightPx },
    orientation: 1,
    orientationAt: null,
  });
  switch (letters(bytes, 12)) {
    case 'VP8X':
      return header(1 + littleEndian(bytes, 24, 3), 1 + littleEndian(bytes, 27, 3));
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null;
      const packed = littleEndian(bytes, 21, 4);
      return header(1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff));
    }
    case 'VP8 ':
      if (littleEndian(bytes, 23, 3) !== 0x2a019d) return null;
      return header(littleEndian(bytes, 26, 2) & 0x3fff, littleEndian(bytes, 28, 2) & 0x3fff);
    default:
      return null;
  }
}

function letters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
  return value;
}
