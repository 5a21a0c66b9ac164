import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol';
import { type AnswerPart, fileSenderValue, placeInJson, placeInProtobuf } from '../../data-service/face/files.ts';
import { AnswerFiles } from './answer-files.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Smaller pieces are sent together. */
const leastBytes = 64 * 1024;
const envelopeHeadBytes = 5;
/** A trailer of gRPC-Web rather than a message. */
const trailerFlag = 0x80;

/**
 * A handler whose answers get their files on the way out. A page is one message, whose length comes before it in every
 * protocol: the files' sizes are known, so a page begins without a byte of them, and each is read as the client takes it.
 * What fails midway fails the body, and the exchange is to be cut off. Such a page is never compressed: its length would
 * not be known before, and pictures are compressed already.
 */
export function sendingFiles(handler: UniversalHandler): UniversalHandler {
  const send = async (request: Parameters<UniversalHandler>[0]): Promise<UniversalServerResponse> => {
    const answer = await handler(request);
    const files = request.contextValues?.get(fileSenderValue);
    if (!(files instanceof AnswerFiles) || files.sizes === null) return answer;
    const header = new Headers(answer.header);
    const isJson = /[/+]json\b/.test(header.get('content-type') ?? '');
    const body = answer.body as AsyncIterable<Bytes>;
    if (header.get('content-type')?.startsWith('application/grpc')) {
      return { ...answer, body: gathered(inEnvelopes(body, files, isJson)) };
    }
    header.delete('content-encoding');
    if (answer.status !== 200) return { ...answer, header };
    const page = new PageWithFiles(await first(body), files, isJson);
    header.set('content-length', String(page.length));
    return { ...answer, header, body: gathered(page.bytes()) };
  };
  return Object.assign(send, handler);
}

/** A page that was encoded without its files, and these. */
class PageWithFiles {
  readonly length: number;
  readonly #parts: readonly AnswerPart[];
  readonly #files: AnswerFiles;
  readonly #isJson: boolean;

  constructor(page: Bytes, files: AnswerFiles, isJson: boolean) {
    this.#parts = (isJson ? placeInJson : placeInProtobuf)(page, files.sizes!);
    this.length = this.#parts.reduce((total, { length }) => total + length, 0);
    this.#files = files;
    this.#isJson = isJson;
  }

  async *bytes(): AsyncGenerator<Bytes, void> {
    for (const part of this.#parts) {
      if (part instanceof Uint8Array) yield part;
      else if (!this.#isJson) yield* this.#files.bytesOf(part.file);
      else for await (const bytes of this.#files.bytesOf(part.file)) yield inBase64(bytes);
    }
  }
}

/** Connect gives each envelope in one piece. What it takes for compressed is not: see `CallMemory`. */
async function* inEnvelopes(body: AsyncIterable<Bytes>, files: AnswerFiles, isJson: boolean): AsyncGenerator<Bytes> {
  for await (const envelope of body) {
    const flags = envelope[0]! & trailerFlag;
    if (flags === trailerFlag) {
      envelope[0] = flags;
      yield envelope;
      continue;
    }
    const page = new PageWithFiles(envelope.subarray(envelopeHeadBytes), files, isJson);
    const head = new Uint8Array(envelopeHeadBytes);
    new DataView(head.buffer).setUint32(1, page.length);
    yield head;
    yield* page.bytes();
  }
}

async function* gathered(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let waiting: Bytes[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < leastBytes) continue;
    yield Buffer.concat(waiting);
    [waiting, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(waiting);
}

const inBase64 = ({ buffer, byteOffset, length }: Bytes): Bytes =>
  Buffer.from(Buffer.from(buffer, byteOffset, length).toString('base64'), 'latin1');

async function first<Item>(items: AsyncIterable<Item>): Promise<Item> {
  for await (const item of items) return item;
  throw new Error('An answer that is well has a message.');
}
