import { crc32 } from '../src/base/streams/crc32.ts';
import { ascii } from './image-headers.ts';

export type PngChunk = readonly [type: string, body: Uint8Array];

export interface PngShape {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: number;
  /** 0 gray, 2 true colour, 3 palette, 4 gray + alpha, 6 true colour + alpha */
  readonly colourType: number;
  readonly interlaced?: number;
}

/** A PNG of exactly these chunks, with correct checksums: for files that no encoder writes. */
export function pngOf(chunks: readonly PngChunk[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...chunks.flatMap(chunkBytes)]);
}

export function chunkBytes([type, body]: PngChunk): number[] {
  const named = [...ascii(type), ...body];
  return [...fourBytes(body.length), ...named, ...fourBytes(crc32(Uint8Array.from(named)))];
}

export function headerChunk({ widthPx, heightPx, bitDepth, colourType, interlaced = 0 }: PngShape): PngChunk {
  return ['IHDR', Uint8Array.of(...fourBytes(widthPx), ...fourBytes(heightPx), bitDepth, colourType, 0, 0, interlaced)];
}

export const lastChunk: PngChunk = ['IEND', new Uint8Array(0)];

export function fourBytes(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}
