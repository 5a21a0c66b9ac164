import { headerBytes, opCode, ProtocolViolation } from './message-reader.ts';

/** A request of a client: one command. */
export interface WireRequest {
  readonly requestId: number;
  /** query: how drivers of before 3.6 say it, and how all may say their first hello */
  readonly form: 'message' | 'query';
  /** the command, BSON */
  readonly body: Uint8Array;
  /** false: the client does not read an answer */
  readonly wantsReply: boolean;
}

const flagBytes = 4;
const checksumPresent = 1 << 0;
const moreToCome = 1 << 1;
const exhaustAllowed = 1 << 16;
// Bits 0 to 15 must be understood, the others may be ignored.
const unknownRequired = 0xffff & ~(checksumPresent | moreToCome);
const checksumBytes = 4;
const minDocumentBytes = 5;

/** @throws ProtocolViolation for a message whose parts do not fill it exactly */
export function readRequest(message: Buffer): WireRequest {
  const requestId = message.readInt32LE(4);
  return message.readInt32LE(12) === opCode.query
    ? { requestId, form: 'query', body: queryBody(message), wantsReply: true }
    : { requestId, form: 'message', ...readOpMsg(message) };
}

function readOpMsg(message: Buffer): Pick<WireRequest, 'body' | 'wantsReply'> {
  let at = headerBytes + flagBytes;
  if (message.length < at) throw new ProtocolViolation('a message without flags');
  const flags = message.readUInt32LE(headerBytes);
  if (flags & unknownRequired & ~exhaustAllowed) throw new ProtocolViolation(`the flags ${flags}`);
  const end = message.length - (flags & checksumPresent ? checksumBytes : 0);
  let body: Uint8Array | null = null;
  while (at < end) {
    const kind = message[at++]!;
    const length = lengthAt(message, at, end);
    if (kind === 0 && body === null) body = message.subarray(at, at + length);
    // A sequence of documents, as inserts have; no command that is answered here reads one.
    else if (kind !== 1) throw new ProtocolViolation(`a section of kind ${kind}`);
    at += length;
  }
  if (body === null) throw new ProtocolViolation('a message without a body');
  return { body, wantsReply: (flags & moreToCome) === 0 };
}

/** Flags, the collection's name, two numbers, and the command as what is asked for. */
function queryBody(message: Buffer): Uint8Array {
  const nameEnd = message.indexOf(0, headerBytes + flagBytes);
  if (nameEnd < 0) throw new ProtocolViolation('a query of no collection');
  const at = nameEnd + 1 + 8;
  return message.subarray(at, at + lengthAt(message, at, message.length));
}

/** Documents and sequences alike begin with their length, which counts itself. */
function lengthAt(message: Buffer, at: number, end: number): number {
  const length = at + minDocumentBytes <= end ? message.readInt32LE(at) : 0;
  if (length < minDocumentBytes || at + length > end) throw new ProtocolViolation('a section that is not whole');
  return length;
}

/** The message that answers a request with a document, BSON. */
export function replyTo(request: WireRequest, document: Uint8Array): Uint8Array {
  // OP_REPLY: flags, a cursor id of 8 bytes, where in the cursor, how many documents. OP_MSG: flags and a kind.
  const preamble = Buffer.alloc(request.form === 'query' ? 20 : 5);
  if (request.form === 'query') preamble.writeInt32LE(1, 16);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + preamble.length + document.length, 0);
  header.writeInt32LE(request.requestId, 8);
  header.writeInt32LE(request.form === 'query' ? opCode.reply : opCode.message, 12);
  return Buffer.concat([header, preamble, document]);
}
