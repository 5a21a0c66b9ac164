import { AsyncLocalStorage } from 'node:async_hooks';
import { promisify } from 'node:util';
import { constants, brotliCompress, gzip } from 'node:zlib';
import type { DescMessage } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { compressionGzip } from '@connectrpc/connect-node';
import { maxJsonBytes, partBytes, PartCounter } from '../../data-service/face/wire.ts';
import { ByteBudget, type HeldBytes } from './byte-budget.ts';
import type { Request, Response } from '../http/exchange.ts';
import { inflate } from '../http/inflate-message.ts';

type Compression = typeof compressionGzip;

/** A call under way, and what it holds. */
interface Call {
  readonly address: string;
  /** aborted when the response has closed */
  readonly closed: AbortSignal;
  readonly format: MessageFormat;
  /** type of the call's messages; null: nobody has said */
  input: DescMessage | null;
  inflated: HeldBytes | null;
  answer: HeldBytes | null;
}

/** What a message takes in its format. */
interface MessageFormat {
  /** how large it may be, whatever else limits it */
  readonly maxBytes: number;
  /** bytes in memory for each of its own */
  readonly cost: number;
}

const protobuf: MessageFormat = { maxBytes: Infinity, cost: 1 };
/** the message's bytes, its text in UTF-16, and the values that are read of it */
const json: MessageFormat = { maxBytes: maxJsonBytes, cost: 4 };

const mebibyte = 2 ** 20;
const inflatedBytes = 160 * mebibyte;
const answerBytes = 144 * mebibyte;
/** Message parts below which a message is not worth a turn: nearly all have fewer. */
const fewParts = 4000;
const maxInflateWaitMs = 20_000;
const maxAnswerWaitMs = 60_000;
/** Deflate makes at most so many bytes of one. */
const maxDeflateRatio = 1032;

const toGzip = promisify(gzip) as (bytes: Uint8Array) => Promise<Buffer<ArrayBuffer>>;
const toBrotli = promisify(brotliCompress) as (bytes: Uint8Array, options: object) => Promise<Buffer<ArrayBuffer>>;

/**
 * What the calls of all clients hold in memory together: messages that were inflated, and answers with the bytes of files.
 * Each holds it until its response has closed.
 */
export class CallMemory {
  readonly inflated = new ByteBudget(inflatedBytes, maxInflateWaitMs);
  readonly answers = new ByteBudget(answerBytes, maxAnswerWaitMs);
  readonly #calls = new AsyncLocalStorage<Call>();

  /** Runs `work` as a call from this address: whatever it begins holds memory for that call. */
  run(address: string, request: Request, response: Response, work: () => void | Promise<void>): void | Promise<void> {
    const closing = new AbortController();
    const call: Call = {
      address,
      closed: closing.signal,
      format: formatOf(request),
      input: null,
      inflated: null,
      answer: null,
    };
    response.once('close', () => {
      call.inflated?.release();
      call.answer?.release();
      closing.abort();
    });
    return this.#calls.run(call, work);
  }

  /** Says what the messages of the call under way are. */
  expect(input: DescMessage): void {
    const call = this.#calls.getStore();
    if (call !== undefined) call.input = input;
  }

  /**
   * Waits until there is room for what a message of so many parts makes, in the place of the one before it.
   * @throws ConnectError ResourceExhausted
   */
  async holdParts(parts: number): Promise<void> {
    const call = this.#calls.getStore();
    if (call === undefined) return;
    call.inflated?.release();
    call.inflated = null;
    if (parts < fewParts) return;
    call.inflated = await this.inflated.hold(call.address, parts * partBytes, call.closed);
    if (call.inflated === null) throw exhausted('reading');
  }

  /** Aborted when the response to the call under way has closed. */
  get closed(): AbortSignal {
    return this.#calls.getStore()!.closed;
  }

  /**
   * Waits until there is room for what the files of the answer of the call under way take.
   * @throws ConnectError ResourceExhausted
   */
  async holdAnswer(bytes: number): Promise<void> {
    const call = this.#calls.getStore();
    if (call === undefined) return;
    call.answer?.release();
    call.answer = await this.answers.hold(call.address, bytes, call.closed);
    if (call.answer === null) throw exhausted('sending');
  }

  /** How messages are packed and unpacked within the budget. */
  get compressions(): Compression[] {
    return [
      {
        name: 'gzip',
        decompress: this.#inflate('gzip', maxDeflateRatio),
        compress: this.#pack((bytes) => toGzip(bytes)),
      },
      {
        name: 'br',
        decompress: this.#inflate('br', Infinity),
        // the library's own default takes a minute for what an answer may hold
        compress: this.#pack((bytes) => toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })),
      },
    ];
  }

  /** An answer with files comes out as it is: they are still to be put in, see `sendingFiles`. */
  #pack(compress: Compression['compress']): Compression['compress'] {
    return (bytes) =>
      this.#calls.getStore()?.answer ? Promise.resolve(bytes as Uint8Array<ArrayBuffer>) : compress(bytes);
  }

  /** A message of a stream takes the place of the one before it. */
  #inflate(encoding: 'gzip' | 'br', maxRatio: number): Compression['decompress'] {
    return async (bytes, readMaxBytes) => {
      const call = this.#calls.getStore();
      if (call === undefined) return inflate(bytes, { encoding, maxBytes: readMaxBytes });
      call.inflated?.release();
      const { cost } = call.format;
      const maxBytes = Math.min(readMaxBytes, call.format.maxBytes);
      const mostBytes = cost * Math.min(maxBytes, bytes.length * maxRatio);
      const held = (call.inflated = await this.inflated.hold(call.address, mostBytes, call.closed));
      if (held === null) throw exhausted('unpacking');
      try {
        // those of JSON are in what it costs
        const parts = call.input === null || call.format === json ? null : new PartCounter(call.input);
        const inflated = await inflate(bytes, { encoding, maxBytes, look: (piece) => parts?.add(piece) });
        const kept = cost * inflated.length + partBytes * (parts?.count ?? 0);
        if (kept <= mostBytes) held.keep(kept);
        else {
          held.release();
          call.inflated = await this.inflated.hold(call.address, kept, call.closed);
          if (call.inflated === null) throw exhausted('reading');
        }
        return inflated;
      } catch (error) {
        held.release();
        throw error;
      }
    };
  }
}

/** application/json, application/connect+json, application/grpc-web+json; charset=utf-8 */
const formatOf = (request: Request): MessageFormat =>
  /[/+]json\b/i.test(request.headers['content-type'] ?? '') ? json : protobuf;

const exhausted = (doing: string): ConnectError =>
  new ConnectError(
    `The server is ${doing} as much as it has memory for, and had no room in time; try again later, or with less at once.`,
    Code.ResourceExhausted,
  );
