const pieceBytes = 4 * 2 ** 20;
const mostAtOnceBytes = 64 * 2 ** 20;

/** SHA-256 of a file in hex; a large one is read in pieces and never sits in memory. */
export async function contentHash(file: Blob, signal: AbortSignal): Promise<string> {
  if (file.size <= mostAtOnceBytes && globalThis.crypto.subtle) {
    return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())));
  }
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  for (let start = 0; start < file.size; start += pieceBytes) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer()));
  }
  return hex(hash.digest());
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
