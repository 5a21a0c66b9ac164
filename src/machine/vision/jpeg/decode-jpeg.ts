import type { Frame } from '../frame/frame.ts';
import { bigEndian16, ByteReader } from './byte-reader.ts';
import { frameOf } from './colours.ts';
import { readFrameHeader, type FrameHeader } from './frame-header.ts';
import { readHuffmanTables, type HuffmanTables } from './huffman-tables.ts';
import { damaged } from './jpeg-error.ts';
import { hasJpegSignature, isIgnored, markers, nextMarker, unknownMarker } from './markers.ts';
import { emptyCoefficients, emptyPlane, fillPlane, type Plane } from './planes.ts';
import { emptyQuantizationTables, readQuantizationTables } from './quantization-tables.ts';
import { readScan } from './read-scan.ts';
import { readScanHeader } from './scan-header.ts';

/**
 * Decodes a JPEG to the samples that the machine sees, bit for bit: the machine uses Go 1.25's image/jpeg. Baseline,
 * extended and progressive files; colour → `ycbcr8` with chroma replicated; gray and RGB → `rgba8`, CMYK → `rgba16`.
 * It accepts and refuses the same files as the machine, also damaged and truncated ones, and ignores EXIF orientation
 * and colour profiles.
 * @param bytes the file
 * @param checkSize called with the picture's size before memory is taken for it; refuses by throwing
 * @returns the picture as it is stored, not turned by its EXIF orientation
 * @throws JpegError, and what `checkSize` throws
 * @example
 * decodeJpeg(Uint8Array.of(1, 2, 3), () => {}); // throws: The file does not begin as a JPEG, with FF D8.
 */
export function decodeJpeg(bytes: Uint8Array, checkSize: (widthPx: number, heightPx: number) => void): Frame {
  if (!hasJpegSignature(bytes)) throw damaged('The file does not begin as a JPEG, with FF D8.');
  const reader = new ByteReader(bytes);
  reader.at = 2;
  const jpeg = new JpegPicture();
  for (let marker = nextMarker(reader); marker !== markers.endOfImage; marker = nextMarker(reader)) {
    const segment = reader.segment();
    if (marker === markers.startOfScan) jpeg.readScan(segment, reader);
    else if (isFrame(marker)) jpeg.readFrame(segment, marker, checkSize);
    else jpeg.readTables(segment, marker);
  }
  return jpeg.toFrame();
}

function isFrame(marker: number): boolean {
  return marker === markers.baselineFrame || marker === markers.extendedFrame || marker === markers.progressiveFrame;
}

/** The decoder's state while it reads the file's segments. */
class JpegPicture {
  #header: FrameHeader | null = null;
  readonly #huffman: HuffmanTables = { dc: [], ac: [] };
  readonly #quantization = emptyQuantizationTables();
  #restartInterval = 0;
  #isJfif = false;
  #adobeTransform: number | null = null;
  /** empty before the first scan */
  #planes: Plane[] = [];
  readonly #coefficients: Int32Array[] = [];
  readonly #band = { blocks: 0 };

  readFrame(segment: Uint8Array, marker: number, checkSize: (widthPx: number, heightPx: number) => void): void {
    if (this.#header) throw damaged('The JPEG has two frame headers.');
    this.#header = readFrameHeader(segment, marker);
    checkSize(this.#header.widthPx, this.#header.heightPx);
  }

  readTables(segment: Uint8Array, marker: number): void {
    if (marker === markers.huffmanTables) readHuffmanTables(segment, this.#huffman, this.#header?.isBaseline ?? false);
    else if (marker === markers.quantizationTables) readQuantizationTables(segment, this.#quantization);
    else if (marker === markers.restartInterval) this.#restartInterval = readRestartInterval(segment);
    else if (marker === markers.app0) this.#isJfif = segment.length < 5 ? this.#isJfif : startsWith(segment, 'JFIF\0');
    else if (marker === markers.app14) this.#adobeTransform = readAdobeTransform(segment) ?? this.#adobeTransform;
    else if (!isIgnored(marker)) throw unknownMarker(marker);
  }

  readScan(segment: Uint8Array, reader: ByteReader): void {
    const frame = this.#header;
    if (!frame) throw damaged('The JPEG has a scan before its frame header.');
    const scan = readScanHeader(segment, frame);
    if (this.#planes.length === 0) this.#planes = frame.components.map((component) => emptyPlane(frame, component));
    if (frame.isProgressive) {
      for (const { index, component } of scan.components)
        this.#coefficients[index] ??= emptyCoefficients(frame, component);
    }
    readScan(reader, scan, {
      frame,
      huffman: this.#huffman,
      quantization: this.#quantization,
      restartInterval: this.#restartInterval,
      planes: this.#planes,
      coefficients: this.#coefficients,
      band: this.#band,
    });
  }

  toFrame(): Frame {
    const frame = this.#header;
    if (!frame || this.#planes.length === 0) throw damaged('The JPEG has no scan: no pixels.');
    for (const [index, coefficients] of this.#coefficients.entries()) {
      if (coefficients) fillPlane(this.#planes[index]!, coefficients, frame.components[index]!, this.#quantization);
    }
    return frameOf(frame, this.#planes, { isJfif: this.#isJfif, adobeTransform: this.#adobeTransform });
  }
}

function readRestartInterval(segment: Uint8Array): number {
  if (segment.length !== 2) throw damaged(`The JPEG has a restart interval of ${segment.length} bytes; 2 can be.`);
  return bigEndian16(segment, 0);
}

/** Adobe Technical Note 5116, section 18. */
function readAdobeTransform(segment: Uint8Array): number | null {
  return segment.length >= 12 && startsWith(segment, 'Adobe') ? segment[11]! : null;
}

function startsWith(segment: Uint8Array, text: string): boolean {
  return [...text].every((letter, i) => segment[i] === letter.charCodeAt(0));
}
