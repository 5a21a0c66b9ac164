const pieceBytes = 4 * 2 ** 20;
const mostAtOnceBytes = 64 * 2 ** 20;

/** SHA-256 of a file or of bytes, in hex. A large file is read in pieces, never as a whole. */
export async function contentHash(content: Blob | Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<string> {
  const isSmall = !(content instanceof Blob) || content.size <= mostAtOnceBytes;
  if (isSmall && globalThis.crypto.subtle) {
    return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', await bytesOf(content))));
  }
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  for (let start = 0; start < sizeOf(content); start += pieceBytes) {
    signal.throwIfAborted();
    hash.update(await bytesOf(content.slice(start, start + pieceBytes)));
  }
  return hex(hash.digest());
}

export const sizeOf = (content: Blob | Uint8Array): number => (content instanceof Blob ? content.size : content.length);

export const bytesOf = async (content: Blob | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
