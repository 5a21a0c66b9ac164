import { decodeJpeg as decode, JpegError } from '../../machine/vision/face/pictures.ts';
import type { Frame } from '../../machine/vision/face/frames.ts';
import { checkFrameSize, ImageDecodeError } from './image-decode-error.ts';

/**
 * Decodes a JPEG to the machine's samples, bit for bit: colour → `ycbcr8` with chroma replicated, gray and RGB → `rgba8`, CMYK →
 * `rgba16`. Refused is what the machine refuses, and a picture without pixels or above the limit.
 *
 * @throws ImageDecodeError
 */
export function decodeJpeg(bytes: Uint8Array): Frame {
  try {
    return decode(bytes, checkFrameSize);
  } catch (error) {
    if (error instanceof JpegError) throw new ImageDecodeError(error.code, error.message, { cause: error });
    if (error instanceof RangeError) {
      throw new ImageDecodeError('too-large', 'There is not enough memory for this JPEG. Scale it down first.', {
        cause: error,
      });
    }
    throw error;
  }
}
