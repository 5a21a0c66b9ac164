import type { ByteReader } from './byte-reader.ts';
import { damaged, unsupported, type JpegError } from './jpeg-error.ts';

/** ITU-T T.81, table B.1: the second byte of a marker; the first is FF. */
export const markers = {
  baselineFrame: 0xc0,
  extendedFrame: 0xc1,
  progressiveFrame: 0xc2,
  huffmanTables: 0xc4,
  firstRestart: 0xd0,
  lastRestart: 0xd7,
  startOfImage: 0xd8,
  endOfImage: 0xd9,
  startOfScan: 0xda,
  quantizationTables: 0xdb,
  restartInterval: 0xdd,
  app0: 0xe0,
  app14: 0xee,
  app15: 0xef,
  comment: 0xfe,
} as const;

/**
 * Whether bytes begin as a JPEG. Two bytes decide, as in Go's image package, which the machine uses.
 * @param bytes the file, or its beginning
 * @returns true where the first two bytes are FF D8
 * @example
 * hasJpegSignature(Uint8Array.of(0xff, 0xd8)); // => true
 * hasJpegSignature(new Uint8Array()); // => false
 */
export function hasJpegSignature(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === markers.startOfImage;
}

/**
 * Finds the next marker. It skips stray bytes before it (a scan may leave some), fill bytes, and restart markers
 * after the last scan.
 */
export function nextMarker(reader: ByteReader): number {
  for (;;) {
    let [first, marker] = reader.take(2) as unknown as [number, number];
    while (first !== 0xff) {
      first = marker;
      marker = reader.byte();
    }
    if (marker === 0) continue; // FF00 is a byte of entropy-coded data
    while (marker === 0xff) marker = reader.byte();
    if (marker < markers.firstRestart || marker > markers.lastRestart) return marker;
  }
}

/** Segments that say nothing about pixels: applications' own data, comments. */
export function isIgnored(marker: number): boolean {
  return (marker >= markers.app0 && marker <= markers.app15) || marker === markers.comment;
}

/**
 * The error for a marker that the machine's decoder does not support: lossless, hierarchical and arithmetic JPEG,
 * and a number of lines that comes late.
 */
export function unknownMarker(marker: number): JpegError {
  const name = `FF${marker.toString(16).toUpperCase().padStart(2, '0')}`;
  if (marker < markers.baselineFrame) return damaged(`The JPEG has ${name} in place of a marker.`);
  return unsupported(`This JPEG uses ${kindOf(marker)} (marker ${name}), which the machine does not decode.`);
}

function kindOf(marker: number): string {
  if (marker >= 0xc9 && marker <= 0xcf) return 'arithmetic coding';
  if (marker >= 0xc3 && marker <= 0xc7) return 'a lossless or hierarchical process';
  if (marker === 0xdc) return 'a number of lines that follows the first scan';
  return 'an extension';
}
