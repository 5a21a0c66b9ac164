import { createBrotliDecompress, createGunzip, type ZlibOptions } from 'node:zlib';
import { Code, ConnectError } from '@connectrpc/connect';
import { joinBytes } from '../../base/streams/join-bytes.ts';

const startStream = { gzip: createGunzip, br: createBrotliDecompress } as const;
const maxChunkBytes = 1024 * 1024;
const minChunkBytes = 16 * 1024;

interface InflateOptions {
  readonly encoding: keyof typeof startStream;
  readonly maxBytes: number;
  /** Sees the message piece by piece, in order, and may refuse it. */
  readonly look?: (piece: Uint8Array) => void;
}

/**
 * A message unpacked. What is made on the way, and all of what is refused, is freed at once: left to the collector, the
 * memory of a few bombs would stand in a row.
 *
 * @throws ConnectError ResourceExhausted for more than `maxBytes`, InvalidArgument for what cannot be unpacked; what `look` throws
 */
export async function inflate(
  bytes: Uint8Array,
  { encoding, maxBytes, look }: InflateOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length === 0) return new Uint8Array();
  const options: ZlibOptions = { chunkSize: Math.min(maxChunkBytes, Math.max(minChunkBytes, bytes.length * 4)) };
  const stream = startStream[encoding](options);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    stream.end(bytes);
    for await (const chunk of stream as AsyncIterable<Uint8Array<ArrayBuffer>>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes)
        throw new ConnectError(
          `message is larger than configured readMaxBytes ${maxBytes} after decompression`,
          Code.ResourceExhausted,
        );
      look?.(chunk);
    }
    return joinBytes(chunks);
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    throw new ConnectError(
      `The message cannot be unpacked: ${(error as Error).message}.`,
      Code.InvalidArgument,
      undefined,
      undefined,
      error,
    );
  } finally {
    stream.destroy();
    for (const chunk of chunks) free(chunk);
  }
}

/** Buffers that several chunks share, or that the stream still writes into, are left to the collector. */
function free({ buffer, length }: Uint8Array<ArrayBuffer>): void {
  if (length === buffer.byteLength) (buffer as ArrayBuffer & { transfer(length: number): ArrayBuffer }).transfer(0);
}
