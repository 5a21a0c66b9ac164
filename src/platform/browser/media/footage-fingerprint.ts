import { sha256 } from '../bytes/sha256.ts';

const sliceBytes = 65_536;

/**
 * Differs for files that differ in size, at their ends, or in the middle. A file of gigabytes is not read as a whole for it: one that was
 * edited in another place keeps its fingerprint.
 */
export async function fingerprintOf(file: Blob): Promise<string> {
  const { size } = file;
  const starts = [0, Math.floor((size - sliceBytes) / 2), size - sliceBytes].map((start) => Math.max(0, start));
  const slices = starts.map((start) => file.slice(start, start + sliceBytes));
  return sha256(new Uint8Array(await new Blob([`${size} `, ...slices]).arrayBuffer()));
}
