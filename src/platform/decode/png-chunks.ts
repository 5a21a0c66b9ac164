import { DecodeError } from './decode-error.ts';

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

export function hasPngSignature(bytes: Uint8Array): boolean {
  return signature.every((byte, i) => bytes[i] === byte);
}

/** @throws DecodeError 'damaged' when the file does not begin with a header chunk */
export function readPngHeader(bytes: Uint8Array): PngHeader {
  if (!hasPngSignature(bytes) || bytes.length < 33 || chunkType(bytes, 8) !== 'IHDR') {
    throw new DecodeError('damaged', 'The file does not begin with a PNG header.');
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

/**
 * The same PNG with only the chunks that decide pixels: profiles and texts may be compressed bombs, and none of them
 * changes a sample.
 *
 * @throws DecodeError 'damaged' for a chunk that runs past the end or compressed pixels that cannot belong to this size
 */
export function withoutAncillaryChunks(bytes: Uint8Array, header: PngHeader): Uint8Array {
  const view = viewOf(bytes);
  const kept: Uint8Array[] = [bytes.subarray(0, 8)];
  let compressedBytes = 0;
  for (let at = 8; ;) {
    if (at + 12 > bytes.length) throw new DecodeError('damaged', 'The PNG ends before its last chunk.');
    const byteLength = view.getUint32(at);
    const end = at + 12 + byteLength;
    const type = chunkType(bytes, at);
    if (end > bytes.length) throw new DecodeError('damaged', `The PNG's ${type} chunk runs past the end of the file.`);
    if (decisiveChunks.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IDAT') compressedBytes += byteLength;
    if (type === 'IEND') break;
    at = end;
  }
  // Deflate expands a thousandfold at most, and stored pixels are hardly larger than raw ones: more is a bomb.
  const rowBytes = 1 + Math.ceil((header.widthPx * (channelsOf[header.colourType] ?? 4) * header.bitDepth) / 8);
  const rawBytes = rowBytes * header.heightPx * (header.interlaced ? 2 : 1);
  if (compressedBytes > rawBytes * 1.1 + 65_536) {
    throw new DecodeError(
      'damaged',
      `The PNG carries ${compressedBytes} compressed bytes for ${rawBytes} bytes of pixels.`,
    );
  }
  return joined(kept);
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

function chunkType(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
