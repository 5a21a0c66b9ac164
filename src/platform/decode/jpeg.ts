import { decode } from 'jpeg-js';
import type { Frame } from '../../vision/frame.ts';
import { checkFrameSize, DecodeError } from './decode-error.ts';
import { readJpegHeader, type JpegHeader } from './jpeg-markers.ts';

/**
 * Decodes a JPEG: colour → `ycbcr8` with chroma replicated, gray, RGB and CMYK ones → `rgba8`. EXIF orientation and
 * colour profiles are ignored, as the machine ignores them. Y, Cb and Cr may differ from the machine's decoder by a level
 * (another inverse cosine transform), which makes up to 3 levels of red, green and blue.
 *
 * @throws DecodeError
 */
export function decodeJpeg(bytes: Uint8Array): Frame {
  const header = readJpegHeader(bytes);
  checkFrameSize(header.widthPx, header.heightPx);
  refuseWhatTheMachineRefuses(header);
  const coloured = header.componentIds.length === 3;
  const { width, height, data } = decoded(coloured ? withAdobeTransform(bytes, header, 0) : bytes);
  return {
    format: coloured && !holdsRgb(header) ? 'ycbcr8' : 'rgba8',
    widthPx: width,
    heightPx: height,
    samples: new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength),
  };
}

function decoded(bytes: Uint8Array): { width: number; height: number; data: Uint8Array } {
  try {
    return decode(bytes, {
      useTArray: true,
      formatAsRGBA: true,
      // Three components come out as they were stored; four follow their Adobe marker whatever is said here.
      colorTransform: false,
      tolerantDecoding: false,
      maxResolutionInMP: 64,
      maxMemoryUsageInMB: 2048,
    });
  } catch (error) {
    throw new DecodeError('damaged', `The JPEG cannot be decoded: ${(error as Error).message}.`, { cause: error });
  }
}

function refuseWhatTheMachineRefuses({ bitsPerSample, componentIds, adobeTransform }: JpegHeader): void {
  if (bitsPerSample !== 8) {
    throw new DecodeError('unsupported-format', `This JPEG has ${bitsPerSample} bits a sample; only 8 can be read.`);
  }
  if (![1, 3, 4].includes(componentIds.length)) {
    throw new DecodeError(
      'unsupported-format',
      `This JPEG has ${componentIds.length} components; 1, 3 or 4 can be read.`,
    );
  }
  if (componentIds.length === 4 && adobeTransform === null) {
    throw new DecodeError(
      'unsupported-format',
      'This JPEG has 4 components and no Adobe marker that says what they are.',
    );
  }
}

/** The rule of common decoders: JFIF means YCbCr, an Adobe transform of 0 means RGB, and so do components named R, G, B. */
function holdsRgb({ hasJfif, adobeTransform, componentIds }: JpegHeader): boolean {
  if (hasJfif) return false;
  if (adobeTransform === 0) return true;
  return String.fromCharCode(...componentIds) === 'RGB';
}

/** jpeg-js obeys a set Adobe transform before its own option: a copy with the transform cleared keeps Y, Cb and Cr. */
function withAdobeTransform(bytes: Uint8Array, header: JpegHeader, transform: number): Uint8Array {
  if (header.adobeTransform === null || header.adobeTransform === transform) return bytes;
  const copy = bytes.slice();
  copy[header.adobeTransformAt] = transform;
  return copy;
}
