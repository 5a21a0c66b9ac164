import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

// RFC 9113, section 6
export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6 } as const;
export const [endStream, endHeaders, acknowledged] = [0x1, 0x4, 0x1];
const headBytes = 9;

/** An HTTP/2 client that sends exactly the given frames, and by itself only its settings. */
export function connectFrames(port: number, onFrame: (type: number, flags: number, payload: Buffer) => void) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const send = (
    type: number,
    { stream = 0, flags = 0, payload = Buffer.alloc(0) }: { stream?: number; flags?: number; payload?: Buffer } = {},
  ): void => {
    const head = Buffer.alloc(headBytes);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    socket.write(Buffer.concat([head, payload]));
  };
  let received = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= headBytes && received.length >= headBytes + received.readUIntBE(0, 3)) {
      const end = headBytes + received.readUIntBE(0, 3);
      onFrame(received[3]!, received[4]!, received.subarray(headBytes, end));
      received = received.subarray(end);
    }
  });
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  send(frameTypes.settings);
  return { send };
}

/** Headers as literals without indexing and without Huffman codes (RFC 7541, section 6.2.2). */
export function literalHeaders(headers: Readonly<Record<string, string>>): Buffer {
  const text = (value: string): Buffer => Buffer.concat([integer(Buffer.byteLength(value)), Buffer.from(value)]);
  return Buffer.concat(Object.entries(headers).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

/** An integer with a seven-bit prefix (RFC 7541, section 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.of(value);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}
