import type { Frame } from '../../machine/vision/face/frames.ts';
import { decodeJpeg } from './jpeg.ts';
import { hasJpegSignature, hasPngSignature } from '../../machine/vision/face/pictures.ts';
import { decodePng } from './png.ts';

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
