import type { Content } from './dataset-item.ts';
import { joinBytes } from '../../../base/streams/join-bytes.ts';

/** Content that is already in memory. */
export function contentOf(bytes: Uint8Array): Content {
  return {
    sizeBytes: bytes.length,
    async *read() {
      yield bytes;
    },
  };
}

/** Content that is generated chunk by chunk while it is read. */
export function generatedContent(generate: () => Iterable<Uint8Array>): Content {
  return {
    sizeBytes: null,
    async *read() {
      yield* generate();
    },
  };
}

/**
 * Reads all bytes of a content.
 *
 * @throws RangeError if there are more than `limitBytes`, because content of unknown size must not fill the memory
 */
export async function readAll(content: Content, limitBytes: number): Promise<Uint8Array> {
  const { bytes, whole } = await gather(content, limitBytes);
  if (!whole) throw new RangeError(`The file has more than ${limitBytes} bytes.`);
  return bytes;
}

/** Reads the first `wantedBytes` of a content, or all of it if it is shorter. */
export async function readHead(content: Content, wantedBytes: number): Promise<Uint8Array> {
  return (await gather(content, wantedBytes)).bytes.subarray(0, wantedBytes);
}

async function gather(content: Content, limitBytes: number): Promise<{ bytes: Uint8Array; whole: boolean }> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of content.read()) {
    chunks.push(chunk);
    total += chunk.length;
    if (total > limitBytes) return { bytes: joined(chunks), whole: false };
  }
  return { bytes: joined(chunks), whole: true };
}

const joined = (chunks: readonly Uint8Array[]): Uint8Array => (chunks.length === 1 ? chunks[0]! : joinBytes(chunks));
