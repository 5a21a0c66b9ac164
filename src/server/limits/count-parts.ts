import type { DescMessage } from '@bufbuild/protobuf';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import { PartCounter } from '../../data-service/face/wire.ts';
import type { CallMemory } from './call-memory.ts';

const envelopeHeadBytes = 5;
const compressedFlag = 1;

/**
 * A handler that counts the parts of messages in protobuf before it reads them, and waits until there is room for what
 * they make. Compressed ones are counted as they are unpacked, see `CallMemory`.
 */
export function countingParts(handler: UniversalHandler, memory: CallMemory): UniversalHandler {
  const count = (request: Parameters<UniversalHandler>[0]): ReturnType<UniversalHandler> => {
    const { header, body } = request;
    const type = header.get('content-type') ?? '';
    const { input } = handler.method;
    memory.expect(input);
    if (/[/+]json\b/.test(type) || typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) {
      return handler(request);
    }
    const bytes = body as AsyncIterable<Uint8Array>;
    if (/^application\/(grpc|connect\+)/.test(type)) {
      return handler({ ...request, body: countedEnvelopes(bytes, input, memory) });
    }
    const isCompressed = (header.get('content-encoding') ?? 'identity') !== 'identity';
    return handler({ ...request, body: isCompressed ? bytes : countedMessage(bytes, input, memory) });
  };
  return Object.assign(count, handler);
}

async function* countedMessage(
  body: AsyncIterable<Uint8Array>,
  message: DescMessage,
  memory: CallMemory,
): AsyncGenerator<Uint8Array> {
  const counter = new PartCounter(message);
  for await (const chunk of body) {
    counter.add(chunk);
    yield chunk;
  }
  await memory.holdParts(counter.count);
}

async function* countedEnvelopes(
  body: AsyncIterable<Uint8Array>,
  message: DescMessage,
  memory: CallMemory,
): AsyncGenerator<Uint8Array> {
  const envelopes = new EnvelopeCounter(message);
  for await (const chunk of body) {
    const ended = envelopes.add(chunk);
    if (ended > 0) await memory.holdParts(ended);
    yield chunk;
  }
}

/** Counts the parts of the messages in envelopes: a byte of flags, four of the length, and the message. */
class EnvelopeCounter {
  readonly #message: DescMessage;
  readonly #head = new Uint8Array(envelopeHeadBytes);
  #headBytes = 0;
  #left = 0;
  #counter: PartCounter | null = null;

  constructor(message: DescMessage) {
    this.#message = message;
  }

  /** Returns how many parts the messages have that end here. @throws ConnectError ResourceExhausted */
  add(chunk: Uint8Array): number {
    let ended = 0;
    for (let at = 0; at < chunk.length;) {
      if (this.#headBytes < envelopeHeadBytes) {
        this.#head[this.#headBytes++] = chunk[at++]!;
        if (this.#headBytes === envelopeHeadBytes) this.#begin();
      } else {
        const taken = Math.min(this.#left, chunk.length - at);
        this.#counter?.add(chunk.subarray(at, at + taken));
        at += taken;
        this.#left -= taken;
      }
      if (this.#headBytes < envelopeHeadBytes || this.#left > 0) continue;
      ended += this.#counter?.count ?? 0;
      this.#headBytes = 0;
    }
    return ended;
  }

  #begin(): void {
    this.#left = new DataView(this.#head.buffer).getUint32(1);
    this.#counter = (this.#head[0]! & compressedFlag) === 0 ? new PartCounter(this.#message) : null;
  }
}
