import { joinBytes } from '../../streams/join-bytes.ts';

/** The bytes of a message that one frame carries. A frame has at most 65,535 bytes (goutils, `maxDataChannelSize`). */
const partBytes = 65_000;

/** A message of more bytes is refused, as the machine refuses one (goutils, `MaxMessageSize`). */
const largestMessageBytes = 1 << 25;

/** One part of a message as it goes into a frame. */
export interface MessagePart {
  readonly data: Uint8Array;
  readonly eom: boolean;
}

/** Cuts a message into parts of at most 65,000 bytes; an empty message is one empty part. */
export function* partsOf(message: Uint8Array): Generator<MessagePart> {
  let start = 0;
  do {
    const end = Math.min(start + partBytes, message.length);
    yield { data: message.subarray(start, end), eom: end === message.length };
    start = end;
  } while (start < message.length);
}

/** Puts the parts of messages together again. */
export class MessageJoiner {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  /** @returns the message that ends with this part; null: it goes on. @throws RangeError for a message of more than 32 MiB */
  add({ data, eom }: MessagePart): Uint8Array | null {
    this.#bytes += data.length;
    if (this.#bytes > largestMessageBytes) {
      this.#parts = [];
      throw new RangeError(`an answer of more than ${largestMessageBytes / 2 ** 20} MiB`);
    }
    this.#parts.push(data);
    if (!eom) return null;
    const message = joinBytes(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return message;
  }
}
