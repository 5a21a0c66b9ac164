import { joinBytes } from '../../../base/streams/join-bytes.ts';

/** Message bytes per frame. A frame has at most 65,535 bytes (goutils, `maxDataChannelSize`). */
const partBytes = 65_000;

/** Larger messages are refused, as the machine does (goutils, `MaxMessageSize`). */
const largestMessageBytes = 1 << 25;

/** The part of a message that one frame carries. `eom`: end of message. */
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

/** Reassembles messages from their parts. */
export class MessageJoiner {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  /** @returns the complete message; null: more parts follow. @throws RangeError for a message of more than 32 MiB */
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
