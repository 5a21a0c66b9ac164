/** Bytes that are no message of the protocol: their sender is cut off. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

export const headerBytes = 16;

/** Operation codes of MongoDB's wire protocol. */
export const opCode = { reply: 1, query: 2004, message: 2013 } as const;

/** Puts the pieces of a byte stream together to messages: a header of 16 bytes, which tells the length, and a body. */
export class MessageReader {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** bytes that arrived and were not taken */
  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /**
   * The next whole message with its header; null until there is one.
   * @throws ProtocolViolation as soon as a header announces more than `maxBytes`, or what is no request
   */
  take(maxBytes: number): Buffer | null {
    if (this.#length < headerBytes) return null;
    if (this.#chunks[0]!.length < headerBytes) this.#join();
    const header = bufferOf(this.#chunks[0]!);
    const length = header.readInt32LE(0);
    if (length < headerBytes) throw new ProtocolViolation(`a message of ${length} bytes`);
    if (length > maxBytes) throw new ProtocolViolation(`a message of ${length} bytes; ${maxBytes} are allowed`);
    const operation = header.readInt32LE(12);
    if (operation !== opCode.message && operation !== opCode.query) {
      throw new ProtocolViolation(`the operation ${operation}`);
    }
    if (this.#length < length) return null;
    if (this.#chunks[0]!.length < length) this.#join();
    const first = bufferOf(this.#chunks[0]!);
    this.#chunks[0] = first.subarray(length);
    if (first.length === length) this.#chunks.shift();
    this.#length -= length;
    return first.subarray(0, length);
  }

  #join(): void {
    this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
  }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
