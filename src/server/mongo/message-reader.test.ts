import { describe, expect, it } from 'vitest';
import { MessageReader, ProtocolViolation } from './message-reader.ts';
import { encodeRequest } from './test-client.ts';
import { readRequest } from './wire-message.ts';

const limit = 1000;
const messages = [1, 2, 3].map((id) => encodeRequest(id, { ping: 1, $db: 'admin', pad: 'x'.repeat(id) }));
const stream = Buffer.concat(messages);

function takeAll(reader: MessageReader): Buffer[] {
  const taken: Buffer[] = [];
  for (let message = reader.take(limit); message !== null; message = reader.take(limit)) taken.push(message);
  return taken;
}

describe('messages out of a stream', () => {
  it.each([1, 2, 3, 7, 15, 16, 17, 50, 64, 1000])('come whole when it arrives in pieces of %i bytes', (size) => {
    const reader = new MessageReader();
    const taken: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) {
      reader.push(stream.subarray(at, at + size));
      taken.push(...takeAll(reader));
    }
    expect(taken).toEqual(messages);
    expect(reader.length).toBe(0);
  });

  it('may be as long as the limit, and not a byte longer', () => {
    const reader = new MessageReader();
    reader.push(stream);
    expect(() => reader.take(messages[0]!.length - 1)).toThrow(ProtocolViolation);
    expect(reader.take(messages[0]!.length)).toEqual(messages[0]);
  });

  const header = (length: number, operation: number): Buffer => {
    const bytes = Buffer.alloc(16);
    bytes.writeInt32LE(length, 0);
    bytes.writeInt32LE(operation, 12);
    return bytes;
  };
  it.each([
    ['shorter than its header', header(15, 2013)],
    ['of a negative length', header(-1, 2013)],
    ['longer than the limit, before its bytes are there', header(2 ** 31 - 1, 2013)],
    ['of an unknown operation', header(100, 2005)],
    ['that is compressed, which nobody offered', header(100, 2012)],
    ['of HTTP', Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n')],
    ['of TLS', Buffer.from('16030100f8010000f40303aabbccddee', 'hex')],
  ])('is refused: a message %s', (_, bytes) => {
    const reader = new MessageReader();
    reader.push(bytes);
    expect(() => reader.take(limit)).toThrow(ProtocolViolation);
  });
});

describe('a request', () => {
  const request = (change: (bytes: Buffer) => Buffer | void): Buffer => {
    const bytes = Buffer.from(messages[0]!);
    return change(bytes) ?? bytes;
  };
  it.each([
    ['with a flag that must be understood', request((bytes) => void bytes.writeUInt32LE(1 << 3, 16))],
    ['of a section kind that is none', request((bytes) => void (bytes[20] = 2))],
    ['with a body longer than itself', request((bytes) => void bytes.writeInt32LE(5000, 21))],
    ['with a body of a negative length', request((bytes) => void bytes.writeInt32LE(-5, 21))],
    ['with bytes after its body', request((bytes) => Buffer.concat([bytes, Buffer.from([9])]))],
    ['without a body', request((bytes) => bytes.subarray(0, 20))],
    ['without flags', request((bytes) => bytes.subarray(0, 17))],
    ['with two bodies', request((bytes) => Buffer.concat([bytes, bytes.subarray(20)]))],
  ])('%s is refused', (_, bytes) => {
    expect(() => readRequest(bytes)).toThrow(ProtocolViolation);
  });

  it('may carry a checksum, and want no answer', () => {
    const bytes = request((whole) => Buffer.concat([whole, Buffer.alloc(4)]));
    bytes.writeUInt32LE(0b11, 16);
    expect(readRequest(bytes)).toMatchObject({ requestId: 1, form: 'message', wantsReply: false });
  });
});
