import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deserialize, serialize, type Binary, type Document } from 'bson';
import { headerBytes, opCode } from './message-reader.ts';

/** A command as clients send it. */
export const encodeRequest = (requestId: number, command: object, flags = 0): Buffer =>
  encodeMessage(requestId, serialize(command), flags);

/** A message with these bytes as its command. */
export function encodeMessage(requestId: number, body: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(headerBytes + 5);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(opCode.message, 12);
  head.writeUInt32LE(flags, headerBytes);
  return Buffer.concat([head, body]);
}

/** The client's half of SCRAM-SHA-256, for a first message `n,,n=<user>,r=nonce`. */
export function scramAnswer(serverFirst: Uint8Array, user: string, password: string): string {
  const first = Buffer.from(serverFirst).toString();
  const [, nonce, salt, iterations] = /^r=([^,]+),s=([^,]+),i=(\d+)$/.exec(first)!;
  const salted = pbkdf2Sync(password, Buffer.from(salt!, 'base64'), Number(iterations), 32, 'sha256');
  const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();
  const clientKey = hmac(salted, 'Client Key');
  const withoutProof = `c=biws,r=${nonce}`;
  const storedKey = createHash('sha256').update(clientKey).digest();
  const signature = hmac(storedKey, `n=${user},r=nonce,${first},${withoutProof}`);
  return `${withoutProof},p=${Buffer.from(clientKey.map((byte, index) => byte ^ signature[index]!)).toString('base64')}`;
}

/** A client that sends whatever bytes it is told. */
export class RawClient {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  #received: Buffer = Buffer.alloc(0);

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('data', (bytes) => (this.#received = Buffer.concat([this.#received, bytes])));
  }

  /** The next answer, or null when the server closed the connection. */
  async answer(): Promise<Document | null> {
    for (;;) {
      const length = this.#received.length < 4 ? Infinity : this.#received.readInt32LE(0);
      if (this.#received.length >= length) {
        const message = this.#received.subarray(0, length);
        this.#received = this.#received.subarray(length);
        return deserialize(message.subarray(message.readInt32LE(12) === opCode.reply ? 36 : 21));
      }
      if (this.socket.closed) return null;
      await Promise.race([once(this.socket, 'data'), this.closed]);
    }
  }

  ask(command: object): Promise<Document | null> {
    this.socket.write(encodeRequest(1, command));
    return this.answer();
  }

  async logIn(user: string, password: string): Promise<void> {
    const mechanism = 'SCRAM-SHA-256';
    const payload = Buffer.from(`n,,n=${user},r=nonce`);
    const options = { skipEmptyExchange: true };
    const first = await this.ask({ saslStart: 1, mechanism, payload, options, $db: 'admin' });
    const proof = Buffer.from(scramAnswer((first!.payload as Binary).buffer, user, password));
    const last = await this.ask({ saslContinue: 1, conversationId: 1, payload: proof, $db: 'admin' });
    if (!last!.done) throw new Error(`The login failed: ${last!.errmsg}`);
  }
}
