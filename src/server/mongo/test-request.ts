import { serialize } from 'bson';
import { headerBytes, opCode } from './message-reader.ts';

/** A command as clients send it, for tests. */
export function encodeRequest(requestId: number, command: object, flags = 0): Buffer {
  const body = serialize(command);
  const head = Buffer.alloc(headerBytes + 5);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(opCode.message, 12);
  head.writeUInt32LE(flags, headerBytes);
  return Buffer.concat([head, body]);
}
