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
  /** All of the body of a unary call; without it, the body follows through the channel. */
  readonly body?: Uint8Array;
}

export type HeaderList = readonly (readonly [string, string])[];

export type ChannelMessage =
  /** All that a unary call is answered with: each message costs a wake-up of the other thread. */
  | { readonly kind: 'answer'; readonly status: number; readonly header: HeaderList; readonly body: Uint8Array }
  | { readonly kind: 'head'; readonly status: number; readonly header: HeaderList }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly trailer: HeaderList }
  | { readonly kind: 'failure'; readonly message: string }
  /** the reader took one chunk: one more may come */
  | { readonly kind: 'credit' }
  /** the reader wants no more */
  | { readonly kind: 'stop' }
  /** the caller gives the call up */
  | { readonly kind: 'cancel' };

/** Chunks that may be on their way at a time: enough to hide the trip, little to hold. */
const initialCredit = 4;

/** What may be transferred with bytes: their buffer, where they are all of it. */
export function givenAway({ byteLength, buffer }: Uint8Array): Transferable[] {
  return byteLength > 0 && byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [];
}

/** The body of a unary call or of its answer, of which Connect makes one chunk. */
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

  /** Ends `send` at its next chunk. */
  stop(): void {
    this.#stopped = true;
    this.#wake?.();
  }

  /** Sends all, and resolves to whether it was taken to its end. Ends the iteration when it is stopped. */
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

/** The chunks that arrive at a port, in order, and the trailer after them. */
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

  /** No generator: the return of one waits for its running `next`, which may wait for bytes that never come. */
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
