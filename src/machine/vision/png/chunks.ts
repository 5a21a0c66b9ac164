import { crc32 } from '../../../base/streams/crc32.ts';
import type { FileReads } from './file-reads.ts';
import { damaged } from './png-error.ts';

/** A chunk whose length and type were read, but not its body. Its checksum was verified. */
export interface Chunk {
  readonly type: string;
  readonly byteLength: number;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Whether bytes begin with the eight bytes of a PNG's signature.
 * @param bytes the file, or its beginning
 * @returns true for a PNG
 * @example
 * hasPngSignature(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)); // => true
 * hasPngSignature(Uint8Array.of(0x89, 0x50)); // => false
 */
export function hasPngSignature(bytes: Uint8Array): boolean {
  return signature.every((byte, i) => bytes[i] === byte);
}

/**
 * Reads a chunk up to its body.
 * @throws PngError if the chunk is incomplete or damaged
 */
export function openChunk(reads: FileReads): Chunk {
  const start = reads.take(8);
  const byteLength = bigEndian32(start, 0);
  const type = String.fromCharCode(...start.subarray(4));
  const { at, bytes } = reads;
  const end = at + byteLength;
  if (end + 4 > bytes.length) {
    throw damaged(`The PNG's ${named(type)} chunk runs past the end of the file, which is cut off. Fetch it again.`);
  }
  if (crc32(bytes.subarray(at - 4, end)) !== bigEndian32(bytes, end)) {
    throw damaged(`The PNG's ${named(type)} chunk has another checksum than its bytes give. Fetch the file again.`);
  }
  return { type, byteLength };
}

/** The body of a chunk that was opened. */
export function readBody(reads: FileReads, { byteLength }: Chunk): Uint8Array {
  const body = reads.take(byteLength);
  reads.take(4); // the checksum
  return body;
}

export function bigEndian32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** Four bytes in quotes for messages; in a damaged file they are not always letters. */
export function named(type: string): string {
  return /^[a-z]{4}$/i.test(type) ? type : 'unnamed';
}
