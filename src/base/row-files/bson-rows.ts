import { joinBytes } from '../streams/join-bytes.ts';

/** BSON documents, one behind the other. */
export const joinDocuments = (documents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => joinBytes(documents);

/**
 * The documents in bytes where they are one behind the other; each begins with its length.
 * @returns views of the bytes, and what is left of them: the beginning of a document, or nothing
 */
export function splitDocuments(bytes: Uint8Array): { readonly documents: Uint8Array[]; readonly left: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const documents: Uint8Array[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const end = at + view.getInt32(at, true);
    if (end > bytes.length) break;
    if (end < at + 5) throw new Error(`These are not BSON documents: one has ${end - at} bytes.`);
    documents.push(bytes.subarray(at, end));
    at = end;
  }
  return { documents, left: bytes.subarray(at) };
}
