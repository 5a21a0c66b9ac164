import type { JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { BinaryRecord, StructObject } from '../ports/stored-captures.ts';
import type { DataStore } from '../ports/data-store.ts';
import { openFile, provenBytes } from '../ports/read-file.ts';

/** Target size of a page: common clients receive at most 32 MiB a message. */
export const answerBytes = 30 * 2 ** 20;

/** Number of bytes that are read at a time. */
const chunkBytes = 2 ** 20;

/**
 * All bytes of a file for an answer; null: it was deleted after its row was read.
 * @throws StoreError `damaged` if they differ from the upload
 */
export async function readBytes(
  store: Pick<DataStore, 'binary' | 'blobs'>,
  record: BinaryRecord,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const blob = await openFile(store, record);
  if (blob === null) return null;
  try {
    const bytes = new Uint8Array(record.sizeBytes);
    let offset = 0;
    for await (const chunk of provenBytes(blob, record, store.blobs.hash(), chunkBytes)) {
      signal.throwIfAborted();
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  } finally {
    await blob.close();
  }
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
