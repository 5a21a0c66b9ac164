import { Code, ConnectError } from '@connectrpc/connect';
import { invalidArgument } from '../wire/invalid-argument.ts';

/** The content of one message of an upload stream; null: it has none. */
export type Packet<Metadata> =
  | { readonly kind: 'metadata'; readonly metadata: Metadata }
  | { readonly kind: 'content'; readonly bytes: Uint8Array }
  | null;

/**
 * Splits an upload stream: first one message of metadata, then any number with content, which is read as it is
 * consumed.
 * @throws ConnectError InvalidArgument for any other order, from `content` when the message comes;
 *   ResourceExhausted for content beyond `maxBytes`
 */
export async function readPackets<Message, Metadata>(
  messages: AsyncIterable<Message>,
  packetOf: (message: Message) => Packet<Metadata>,
  maxBytes: number,
): Promise<{ readonly metadata: Metadata; readonly content: AsyncIterable<Uint8Array> }> {
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) throw invalidArgument('The stream has no message; send the metadata first.');
  const packet = packetOf(first.value);
  if (packet?.kind !== 'metadata') {
    throw invalidArgument('The stream begins without metadata; send the metadata first, then the content.');
  }
  return {
    metadata: packet.metadata,
    content: contentOf({ [Symbol.asyncIterator]: () => iterator }, packetOf, maxBytes),
  };
}

async function* contentOf<Message, Metadata>(
  messages: AsyncIterable<Message>,
  packetOf: (message: Message) => Packet<Metadata>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let sizeBytes = 0;
  for await (const message of messages) {
    const packet = packetOf(message);
    if (packet === null) throw invalidArgument('A message of the stream is empty; send content after the metadata.');
    if (packet.kind === 'metadata') {
      throw invalidArgument('The stream has a second message of metadata; send one file a stream.');
    }
    sizeBytes += packet.bytes.length;
    if (sizeBytes > maxBytes) {
      throw new ConnectError(
        `The content is larger than ${maxBytes} bytes, the most this service takes of one file.`,
        Code.ResourceExhausted,
      );
    }
    yield packet.bytes;
  }
}
