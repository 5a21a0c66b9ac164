import { ImageDecodeError } from './decode-error.ts';

export interface PngHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: number;
  /** 0 gray, 2 true colour, 3 palette, 4 gray + alpha, 6 true colour + alpha */
  readonly colourType: number;
  readonly interlaced: boolean;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const decisiveChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const gray = 0;
const trueColour = 2;

export function hasPngSignature(bytes: Uint8Array): boolean {
  return signature.every((byte, i) => bytes[i] === byte);
}

/** @throws ImageDecodeError 'damaged' when the file does not begin with a header chunk */
export function readPngHeader(bytes: Uint8Array): PngHeader {
  if (!hasPngSignature(bytes) || bytes.length < 33 || chunkType(bytes, 8) !== 'IHDR') {
    throw new ImageDecodeError('damaged', 'The file does not begin with a PNG header.');
  }
  const view = viewOf(bytes);
  return {
    widthPx: view.getUint32(16),
    heightPx: view.getUint32(20),
    bitDepth: bytes[24]!,
    colourType: bytes[25]!,
    interlaced: bytes[28] === 1,
  };
}

export interface PixelChunks {
  /** the same PNG with only the chunks that its decoder needs */
  readonly png: Uint8Array;
  /** samples of the one colour that tRNS makes transparent in gray and true-colour images (PNG §11.3.1.1), 0..65535 */
  readonly transparentColour: readonly number[] | null;
}

/**
 * Keeps only the chunks that decide pixels: profiles and texts may be compressed bombs, and none of them changes a sample.
 * The transparent colour is read here, because fast-png refuses it in images of one or two pixels.
 *
 * @throws ImageDecodeError 'damaged' for a chunk that runs past the end or compressed pixels that cannot belong to this size
 */
export function readPixelChunks(bytes: Uint8Array, header: PngHeader): PixelChunks {
  const view = viewOf(bytes);
  const kept: Uint8Array[] = [bytes.subarray(0, 8)];
  const hasTransparentColour = header.colourType === gray || header.colourType === trueColour;
  let transparentColour: number[] | null = null;
  let compressedBytes = 0;
  for (let at = 8; ;) {
    if (at + 12 > bytes.length) throw new ImageDecodeError('damaged', 'The PNG ends before its last chunk.');
    const byteLength = view.getUint32(at);
    const end = at + 12 + byteLength;
    const type = chunkType(bytes, at);
    if (end > bytes.length)
      throw new ImageDecodeError('damaged', `The PNG's ${type} chunk runs past the end of the file.`);
    if (type === 'tRNS' && hasTransparentColour) transparentColour = bigEndian16(view, at + 8, byteLength / 2);
    else if (decisiveChunks.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IDAT') compressedBytes += byteLength;
    if (type === 'IEND') break;
    at = end;
  }
  // Deflate expands a thousandfold at most, and stored pixels are hardly larger than raw ones: more is a bomb.
  const rowBytes = 1 + Math.ceil((header.widthPx * (channelsOf[header.colourType] ?? 4) * header.bitDepth) / 8);
  const rawBytes = rowBytes * header.heightPx * (header.interlaced ? 2 : 1);
  if (compressedBytes > rawBytes * 1.1 + 65_536) {
    throw new ImageDecodeError(
      'damaged',
      `The PNG carries ${compressedBytes} compressed bytes for ${rawBytes} bytes of pixels.`,
    );
  }
  return { png: joined(kept), transparentColour };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function bigEndian16(view: DataView, at: number, count: number): number[] {
  return Array.from({ length: Math.floor(count) }, (_, i) => view.getUint16(at + 2 * i));
}

function chunkType(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
