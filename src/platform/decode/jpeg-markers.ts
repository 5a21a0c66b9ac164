import { DecodeError } from './decode-error.ts';

export interface JpegHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitsPerSample: number;
  readonly componentIds: readonly number[];
  readonly hasJfif: boolean;
  /** colour transform of Adobe's APP14 marker: 0 none, 1 YCbCr, 2 YCCK; null without the marker */
  readonly adobeTransform: number | null;
  /** where APP14's transform byte lies */
  readonly adobeTransformAt: number;
}

export function hasJpegSignature(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/**
 * Walks the markers up to the first scan (ITU-T T.81 annex B).
 *
 * @throws DecodeError 'damaged' without a frame header, 'unsupported-format' for lossless and arithmetic JPEG
 */
export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  let hasJfif = false;
  let adobeTransform: number | null = null;
  let adobeTransformAt = -1;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw new DecodeError('damaged', `The JPEG has no marker at byte ${at}.`);
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++; // fill byte
      continue;
    }
    const segmentBytes = (bytes[at + 2]! << 8) | bytes[at + 3]!;
    const body = at + 4;
    if (marker === 0xe0 && asciiAt(bytes, body, 'JFIF\0')) hasJfif = true;
    if (marker === 0xee && segmentBytes >= 14 && asciiAt(bytes, body, 'Adobe')) {
      adobeTransformAt = body + 11;
      adobeTransform = bytes[adobeTransformAt]!;
    }
    if (isFrameHeader(marker)) {
      if (marker > 0xc2) {
        const kind = marker >= 0xc9 ? 'arithmetic coding' : 'a lossless or hierarchical process';
        throw new DecodeError(
          'unsupported-format',
          `This JPEG uses ${kind} (marker FF${marker.toString(16).toUpperCase()}). Save it as a baseline or progressive JPEG, or as PNG.`,
        );
      }
      const count = bytes[body + 5]!;
      return {
        bitsPerSample: bytes[body]!,
        heightPx: (bytes[body + 1]! << 8) | bytes[body + 2]!,
        widthPx: (bytes[body + 3]! << 8) | bytes[body + 4]!,
        componentIds: Array.from({ length: count }, (_, i) => bytes[body + 6 + 3 * i]!),
        hasJfif,
        adobeTransform,
        adobeTransformAt,
      };
    }
    if (marker === 0xda || marker === 0xd9) break;
    at += 2 + segmentBytes;
  }
  throw new DecodeError('damaged', 'The JPEG has no frame header.');
}

/** SOF0…SOF15; C4, C8 and CC of that range are tables and extensions. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function asciiAt(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));
}
