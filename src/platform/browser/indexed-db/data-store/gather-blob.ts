import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { joinBytes } from '../../../../base/streams/join-bytes.ts';
import { sha256 as sha256AtOnce } from '../../bytes/sha256.ts';

/** Up to here content is hashed at once by the browser, several times faster than piece by piece in a script. */
const partBytes = 4 << 20;

export interface GatheredBlob {
  readonly bytes: Blob;
  /** in hex */
  readonly sha256: string;
}

/**
 * Draws content into a Blob, which the browser holds outside of the script's memory and moves to its disk when large:
 * no more than one part is in memory here. Errors of the content pass through; an aborted signal throws its reason.
 */
export async function gatherBlob(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<GatheredBlob> {
  signal.throwIfAborted();
  const parts: Blob[] = [];
  const hash = sha256.create();
  let part: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of content) {
    signal.throwIfAborted();
    part.push(chunk as Uint8Array<ArrayBuffer>);
    length += chunk.length;
    if (length < partBytes) continue;
    for (const bytes of part) hash.update(bytes);
    parts.push(new Blob(part));
    part = [];
    length = 0;
  }
  signal.throwIfAborted();
  if (parts.length === 0) {
    // not off the Blob, whose bytes are in another process; made while the browser hashes
    const hashing = sha256AtOnce(part.length === 1 ? part[0]! : joinBytes(part));
    return { bytes: new Blob(part), sha256: await hashing };
  }
  const last = new Blob(part);
  for (const bytes of part) hash.update(bytes);
  return { bytes: new Blob([...parts, last]), sha256: bytesToHex(hash.digest()) };
}
