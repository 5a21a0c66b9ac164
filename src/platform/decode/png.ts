import type { Frame } from '../../machine/vision/face/frames.ts';
import { decodePng as decode, PngError } from '../../machine/vision/face/pictures.ts';
import { checkFrameSize, ImageDecodeError } from './image-decode-error.ts';

/**
 * Decodes a PNG to the machine's samples. Refused is what the machine refuses, and a picture above the limit.
 *
 * @throws ImageDecodeError
 */
export function decodePng(bytes: Uint8Array): Frame {
  try {
    return decode(bytes, checkFrameSize);
  } catch (error) {
    if (error instanceof PngError) throw new ImageDecodeError('damaged', error.message, { cause: error });
    if (error instanceof RangeError) {
      throw new ImageDecodeError('too-large', 'There is not enough memory for this PNG. Scale it down first.', {
        cause: error,
      });
    }
    throw error;
  }
}
