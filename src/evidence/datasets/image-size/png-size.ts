import { readExifOrientation } from './exif-orientation.ts';
import type { StoredHeader } from './image-header.ts';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Reads IHDR, and an eXIf chunk if it precedes the pixels (PNG 3rd edition §11.2.1 and §11.3.4.5). */
export function readPngSize(bytes: Uint8Array): StoredHeader | null {
  if (bytes.length < 33 || !signature.every((byte, i) => bytes[i] === byte) || typeAt(bytes, 8) !== 'IHDR') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let exif: ReturnType<typeof readExifOrientation> = null;
  for (let at = 33; at + 8 <= bytes.length;) {
    const type = typeAt(bytes, at);
    const end = at + 12 + view.getUint32(at);
    if (type === 'IDAT' || end > bytes.length) break;
    if (type === 'eXIf') {
      const found = readExifOrientation(bytes.subarray(at + 8, end - 4));
      exif = found && { ...found, at: at + 8 + found.at };
    }
    at = end;
  }
  const { orientation = 1, at: orientationAt = null } = exif ?? {};
  const stored = { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
  return { kind: 'png', stored, orientation, orientationAt };
}

function typeAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8));
}
