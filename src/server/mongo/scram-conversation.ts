import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { MongoError } from './mongo-error.ts';

/** What a server keeps of a password for SCRAM-SHA-256 (RFC 5802, section 3; RFC 7677). */
export interface ScramCredentials {
  readonly iterations: number;
  readonly salt: Uint8Array;
  readonly storedKey: Uint8Array;
  readonly serverKey: Uint8Array;
}

/** What a client begins with. */
export interface ScramClientFirst {
  readonly userName: string;
  readonly nonce: string;
  /** the header before the message, which the client repeats at the end */
  readonly header: string;
  /** the message without its header */
  readonly bare: string;
}

/** @throws MongoError AuthenticationFailed for what is no first message, or asks for channel binding or another's rights */
export function readClientFirst(message: string): ScramClientFirst {
  // gs2-header "n,,": no channel binding ("y": the client could), no authorization identity
  const [, header, bare, name, nonce] = /^([ny],,)(n=([^,]*),r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/s.exec(message) ?? [];
  if (name === undefined || /=(?!2C|3D)/.test(name)) {
    throw new MongoError('AuthenticationFailed', 'The first message of SCRAM-SHA-256 is malformed.');
  }
  const userName = name.replaceAll('=2C', ',').replaceAll('=3D', '=');
  return { userName, nonce: nonce!, header: header!, bare: bare! };
}

/** The server's half of one SCRAM-SHA-256 exchange (RFC 5802, section 5). */
export class ScramConversation {
  readonly serverFirst: string;
  readonly #credentials: ScramCredentials;
  readonly #clientFirst: ScramClientFirst;
  readonly #nonce: string;

  /** `serverNonce`: printable ASCII without commas, new for every exchange */
  constructor(credentials: ScramCredentials, clientFirst: ScramClientFirst, serverNonce: string) {
    const { salt, iterations } = credentials;
    this.#credentials = credentials;
    this.#clientFirst = clientFirst;
    this.#nonce = clientFirst.nonce + serverNonce;
    this.serverFirst = `r=${this.#nonce},s=${Buffer.from(salt).toString('base64')},i=${iterations}`;
  }

  /** The server's last message when the client's proof holds, else null: it tells nothing of why. */
  finish(clientFinal: string): string | null {
    const [, withoutProof, binding, nonce, proof] =
      /^(c=([^,]*),r=([^,]*)(?:,.*)?),p=([^,]*)$/s.exec(clientFinal) ?? [];
    if (withoutProof === undefined || nonce !== this.#nonce) return null;
    if (binding !== Buffer.from(this.#clientFirst.header).toString('base64')) return null;
    const { storedKey, serverKey } = this.#credentials;
    const authMessage = `${this.#clientFirst.bare},${this.serverFirst},${withoutProof}`;
    const signature = hmac(storedKey, authMessage);
    const proofBytes = Buffer.from(proof!, 'base64');
    if (proofBytes.length !== signature.length) return null;
    const clientKey = proofBytes.map((byte, index) => byte ^ signature[index]!);
    if (!timingSafeEqual(createHash('sha256').update(clientKey).digest(), storedKey)) return null;
    return `v=${hmac(serverKey, authMessage).toString('base64')}`;
  }
}

const hmac = (key: Uint8Array, message: string): Buffer => createHmac('sha256', key).update(message).digest();
