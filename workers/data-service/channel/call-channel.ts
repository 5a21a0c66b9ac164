import { Code, ConnectError } from '@connectrpc/connect';

/**
 * One MessageChannel is one call. Bytes flow in both directions, each under credit that its reader grants, so that a
 * fast writer waits for a slow reader. A worker gets the far end of the channel with the call's head.
 */

export interface CallHead {
  readonly kind: 'call';
  readonly url: string;
  readonly method: string;
  readonly header: HeaderList;
  /** the whole body of a unary call; absent: the body follows through the channel */
  readonly body?: Uint8Array;
}

export type HeaderList = readonly (readonly [string, string])[];

export type ChannelMessage =
  /** The whole answer of a unary call in one message, since each message wakes the other thread. */
  | { readonly kind: 'answer'; readonly status: number; readonly header: HeaderList; readonly body: Uint8Array }
  | { readonly kind: 'head'; readonly status: number; readonly header: HeaderList }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly trailer: HeaderList }
  | { readonly kind: 'failure'; readonly message: string }
  /** the reader took one chunk: the writer may send one more */
  | { readonly kind: 'credit' }
  /** the reader wants no more chunks */
  | { readonly kind: 'stop' }
  /** the caller cancels the call */
  | { readonly kind: 'cancel' };

/** How many chunks may be in flight at a time: enough to hide the latency, and few enough to hold in memory. */
const initialCredit = 4;

/** The buffers to transfer with `bytes`: their own buffer, if they fill all of it. */
export function givenAway({ byteLength, buffer }: Uint8Array): Transferable[] {
  return byteLength > 0 && byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [];
}

/** Reads the body of a unary call or its answer, which Connect gives as one chunk. */
export async function onlyChunk(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let whole: Uint8Array | undefined;
  for await (const chunk of body) {
    if (whole) throw new ConnectError('The body of a unary call came in pieces.', Code.Internal);
    whole = chunk;
  }
  return whole ?? new Uint8Array();
}

/** Sends chunks as the reader's credit allows. */
export class ByteSender {
  readonly #port: MessagePort;
  #credit = initialCredit;
  #stopped = false;
  #wake: (() => void) | null = null;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  grant(): void {
    this.#credit++;
    this.#wake?.();
  }

  /** Makes `send` end at its next chunk. */
  stop(): void {
    this.#stopped = true;
    this.#wake?.();
  }

  /** Sends all chunks and resolves to whether the reader took them to the end. Ends the iteration when stopped. */
  async send(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
    for await (const bytes of chunks) {
      while (this.#credit === 0 && !this.#stopped) await new Promise<void>((wake) => (this.#wake = wake));
      if (this.#stopped) return false;
      this.#credit--;
      this.#port.postMessage({ kind: 'bytes', bytes } satisfies ChannelMessage, givenAway(bytes));
    }
    return !this.#stopped;
  }
}

/** The chunks that arrive at a port, in order, followed by the trailer. */
export class ByteReceiver implements AsyncIterable<Uint8Array> {
  readonly trailer = new Headers();
  readonly #port: MessagePort;
  readonly #waiting: Uint8Array[] = [];
  #end: { readonly error: unknown } | 'well' | null = null;
  #wake: (() => void) | null = null;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  take(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#wake?.();
  }

  end(trailer: HeaderList): void {
    for (const [name, value] of trailer) this.trailer.append(name, value);
    this.#end ??= 'well';
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /**
   * This is no generator: a generator's return() waits for its running next(), which may wait for bytes that never
   * come.
   */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    const stop = async (): Promise<IteratorReturnResult<undefined>> => {
      if (this.#end === null) this.#port.postMessage({ kind: 'stop' } satisfies ChannelMessage);
      this.end([]);
      this.#waiting.length = 0;
      return { done: true, value: undefined };
    };
    return {
      next: () => this.#next(),
      return: stop,
      throw: async (error: unknown) => {
        await stop();
        throw error;
      },
    };
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      if (this.#end !== null && this.#end !== 'well') throw this.#end.error;
      const bytes = this.#waiting.shift();
      if (bytes) {
        this.#port.postMessage({ kind: 'credit' } satisfies ChannelMessage);
        return { done: false, value: bytes };
      }
      if (this.#end) return { done: true, value: undefined };
      await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
