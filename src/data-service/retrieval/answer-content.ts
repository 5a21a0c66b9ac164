import type { JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { BlobStore } from '../ports/blob-store.ts';
import type { BinaryRecord, StructObject } from '../ports/capture.ts';
import { readBlob } from '../ports/read-blob.ts';
import { StoreError } from '../ports/store-error.ts';

/** What a page aims to stay below: common clients receive at most 32 MiB a message. */
export const answerBytes = 30 * 2 ** 20;

/** All bytes of a file, for an answer that carries them; null if it was deleted since its row was read. */
export async function readBytes(
  blobs: BlobStore,
  { blobAddress, sizeBytes }: BinaryRecord,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  try {
    for await (const chunk of readBlob(blobs, blobAddress, null)) {
      signal.throwIfAborted();
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not-found') return null;
    throw error;
  }
  return bytes;
}

/** @throws ConnectError ResourceExhausted if the files together are more than one answer carries */
export function requireAnswerFits(records: readonly BinaryRecord[], maxBytes: number): void {
  const total = records.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total <= maxBytes) return;
  const message = `The files asked for have ${total} bytes, and an answer carries at most ${maxBytes}.`;
  throw new ConnectError(`${message} Ask for fewer, or fetch each by its uri.`, Code.ResourceExhausted);
}

/** A stored payload as the runtime's Struct: the same value, which its types call mutable JSON. */
export const toPayload = (payload: StructObject): JsonObject => payload as JsonObject;
