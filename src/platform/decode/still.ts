import type { Frame } from '../../machine/vision/frame/frame.ts';
import { decodeJpeg } from './jpeg.ts';
import { hasJpegSignature } from '../../machine/vision/jpeg/markers.ts';
import { decodePng } from './png.ts';
import { hasPngSignature } from '../../machine/vision/png/chunks.ts';

/** Whether `decodeStill` reads these bytes; their first eight are enough to say. */
export function isExactStill(bytes: Uint8Array): boolean {
  return hasPngSignature(bytes) || hasJpegSignature(bytes);
}

/**
 * Decodes a still that can be read exactly (PNG, JPEG); null for any other kind of bytes.
 *
 * @throws ImageDecodeError
 */
export function decodeStill(bytes: Uint8Array): Frame | null {
  if (hasPngSignature(bytes)) return decodePng(bytes);
  if (hasJpegSignature(bytes)) return decodeJpeg(bytes);
  return null;
}
