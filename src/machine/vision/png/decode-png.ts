import type { Frame } from '../frame/frame.ts';
import { hasPngSignature, openChunk, readBody, type Chunk } from './chunks.ts';
import { readPalette, readTransparency, type PngColours } from './colours.ts';
import { FileReads } from './file-reads.ts';
import { channelsOf, readHeader, type PngHeader } from './header.ts';
import { inflate } from './inflate.ts';
import { passesOf } from './passes.ts';
import { PixelChunks } from './pixel-chunks.ts';
import { damaged } from './png-error.ts';
import { unfilter } from './unfilter.ts';
import { eightBitWriter, sixteenBitWriter } from './write-pixels.ts';

/** One byte of deflate data gives at most this many bytes: two bits can code a match of 258 bytes. */
const mostInflation = 1032;

/**
 * Decodes a PNG to the samples that the machine sees: the machine uses Go 1.25's image/png, and the same files are
 * accepted and refused here. 8 bits a sample and fewer → `rgba8`, 16 → `rgba16`, alpha not premultiplied, gray
 * repeated. A palette's colours → `rgba16`, each sample × 257, since the machine stretches paletted pictures at 16
 * bits. Colour profiles and gamma are ignored; of an animated PNG the default picture is decoded.
 * @param bytes the file
 * @param checkSize called with the picture's size before memory is taken for it; refuses by throwing
 * @returns the picture
 * @throws PngError, and what `checkSize` throws
 * @example
 * decodePng(Uint8Array.of(1, 2, 3), () => {}); // throws: The file does not begin as a PNG.
 */
export function decodePng(bytes: Uint8Array, checkSize: (widthPx: number, heightPx: number) => void): Frame {
  const reads = new FileReads(bytes);
  if (!hasPngSignature(bytes)) throw damaged('The file does not begin as a PNG.');
  reads.take(8);
  const png = new PngPicture(checkSize);
  while (!png.isWhole) png.read(openChunk(reads), reads);
  return png.frame!;
}

/** The decoder's state while it reads the file's chunks. */
class PngPicture {
  readonly #checkSize: (widthPx: number, heightPx: number) => void;
  #header: PngHeader | null = null;
  #colours: PngColours = { palette: null, transparent: null };
  readonly #seen = new Set<string>();
  frame: Frame | null = null;
  isWhole = false;

  constructor(checkSize: (widthPx: number, heightPx: number) => void) {
    this.#checkSize = checkSize;
  }

  /** Reads the body of a chunk. Unknown chunks do not affect the pixels and are skipped. */
  read(chunk: Chunk, reads: FileReads): void {
    const { type } = chunk;
    const header = this.#header;
    if (type === 'IDAT') {
      if (!header || (header.colour === 'palette' && !this.#seen.has('PLTE'))) throw outOfOrder(type);
      // Pixel chunks after the complete picture are skipped too.
      if (this.frame) readBody(reads, chunk);
      else this.frame = readPixels(header, this.#colours, chunk, reads);
      return;
    }
    const body = readBody(reads, chunk);
    switch (type) {
      case 'IHDR':
        if (header) throw outOfOrder(type);
        this.#header = readHeader(body);
        this.#checkSize(this.#header.widthPx, this.#header.heightPx);
        return;
      case 'PLTE':
        if (!header || this.frame || this.#seen.has('PLTE') || this.#seen.has('tRNS')) throw outOfOrder(type);
        this.#colours = { ...this.#colours, palette: readPalette(body, header) };
        break;
      case 'tRNS':
        if (!header || this.frame || this.#seen.has('tRNS')) throw outOfOrder(type);
        if (header.colour === 'palette' && !this.#colours.palette) throw outOfOrder(type);
        this.#colours = readTransparency(body, header, this.#colours.palette);
        break;
      case 'IEND':
        if (!this.frame) throw outOfOrder(type);
        if (body.length > 0) throw damaged(`The PNG’s last chunk has ${body.length} bytes; none can be.`);
        this.isWhole = true;
    }
    this.#seen.add(type);
  }
}

function readPixels(header: PngHeader, colours: PngColours, first: Chunk, reads: FileReads): Frame {
  const { widthPx, heightPx, bitDepth } = header;
  const passes = passesOf(header);
  const pixelBits = channelsOf[header.colour] * bitDepth;
  const rowBytesOf = (pixels: number): number => Math.ceil((pixels * pixelBits) / 8);
  const byteLength = passes.reduce((sum, pass) => sum + pass.heightPx * (1 + rowBytesOf(pass.widthPx)), 0);
  // Checked before memory is allocated: such a short file cannot hold this picture.
  if (byteLength > mostInflation * (reads.bytes.length - reads.at)) {
    throw damaged(`The PNG says that it is ${widthPx}×${heightPx} pixels, and has too few bytes for them.`);
  }
  const chunks = new PixelChunks(reads, first);
  const inflated = inflate(chunks, byteLength);
  chunks.finish();

  const { frame, writeRow } = emptyFrame(header, colours);
  let at = 0;
  for (const pass of passes) {
    const rowBytes = rowBytesOf(pass.widthPx);
    unfilter(inflated, at, { rows: pass.heightPx, rowBytes, pixelBytes: Math.ceil(pixelBits / 8) });
    for (let y = 0; y < pass.heightPx; y++, at += 1 + rowBytes) {
      const start = 4 * ((pass.firstRow + y * pass.rowStep) * widthPx + pass.firstColumn);
      writeRow(inflated.subarray(at + 1, at + 1 + rowBytes), pass.widthPx, start, 4 * pass.columnStep);
    }
  }
  return frame;
}

function emptyFrame(header: PngHeader, colours: PngColours) {
  const { widthPx, heightPx, colour, bitDepth } = header;
  const length = 4 * widthPx * heightPx;
  if (colour !== 'palette' && bitDepth <= 8) {
    const samples = new Uint8ClampedArray(length);
    const frame: Frame = { format: 'rgba8', widthPx, heightPx, samples };
    return { frame, writeRow: eightBitWriter(header, colours, samples) };
  }
  const samples = new Uint16Array(length);
  // 16-bit gray is how the machine's cameras send depths; a transparent colour makes it an ordinary picture in Go.
  const isDepth = colour === 'gray' && !colours.transparent;
  const frame: Frame = { format: 'rgba16', widthPx, heightPx, samples, ...(isDepth && { isDepth }) };
  return { frame, writeRow: sixteenBitWriter(header, colours, samples) };
}

function outOfOrder(type: string): Error {
  return damaged(`The PNG has a chunk ${type} in a place where none can be.`);
}
