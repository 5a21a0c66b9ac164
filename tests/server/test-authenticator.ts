import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

interface MadeCredential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly key: KeyObject;
}

/** How a response differs from one that an honest browser and authenticator give. */
export interface Deviation {
  /** origin of the page, as the browser tells it */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userVerified?: boolean;
  readonly userHandle?: string;
  readonly counter?: number;
  readonly brokenSignature?: boolean;
  /** id of a passkey that another authenticator has made */
  readonly credentialId?: string;
}

const flagsOf = (isVerified: boolean, hasCredential: boolean): number =>
  0x01 | (isVerified ? 0x04 : 0) | (hasCredential ? 0x40 : 0);
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

/** An authenticator and the browser before it (WebAuthn): makes passkeys of P-256 and signs by them, counting its signatures. */
export class TestAuthenticator {
  readonly #credentials: MadeCredential[] = [];
  counter = 0;

  /** Answers `navigator.credentials.create` on a page of `origin`. */
  create(optionsJson: string, origin: string, deviation: Deviation = {}): string {
    const options = JSON.parse(optionsJson) as { challenge: string; rp: { id: string }; user: { id: string } };
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const id = deviation.credentialId ? Buffer.from(deviation.credentialId, 'base64url') : randomBytes(16);
    const rpId = deviation.rpId ?? options.rp.id;
    this.#credentials.push({ id: base64url(id), rpId, userHandle: options.user.id, key: privateKey });
    const { x, y } = publicKey.export({ format: 'jwk' });
    const coseKey = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]), // EC2, ES256, P-256, x
      Buffer.from(x!, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]), // y
      Buffer.from(y!, 'base64url'),
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
    const authData = Buffer.concat([this.#authenticatorData(rpId, true, deviation), attested]);
    // a map of fmt "none", an empty attStmt, and authData
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([authData.length]),
      authData,
    ]);
    const clientDataJSON = this.#clientData('webauthn.create', options.challenge, origin, deviation);
    return this.#response(base64url(id), {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    });
  }

  /** Answers `navigator.credentials.get` on a page of `origin` by the passkey that was made last. */
  get(optionsJson: string, origin: string, deviation: Deviation = {}): string {
    const options = JSON.parse(optionsJson) as { challenge: string; rpId: string };
    const { id, userHandle, key } = this.#credentials.at(-1)!;
    this.counter++;
    const authData = this.#authenticatorData(deviation.rpId ?? options.rpId, false, deviation);
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, origin, deviation);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientDataJSON)]), key);
    if (deviation.brokenSignature) signature[signature.length - 1]! ^= 1;
    return this.#response(id, {
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle: deviation.userHandle ?? userHandle,
    });
  }

  #authenticatorData(
    rpId: string,
    hasCredential: boolean,
    { userVerified = true, counter = this.counter }: Deviation,
  ): Buffer {
    const head = Buffer.alloc(37);
    sha256(rpId).copy(head);
    head[32] = flagsOf(userVerified, hasCredential);
    head.writeUInt32BE(counter, 33);
    return head;
  }

  #clientData(type: string, challenge: string, origin: string, deviation: Deviation): string {
    return JSON.stringify({
      type: deviation.type ?? type,
      challenge: deviation.challenge ?? challenge,
      origin: deviation.origin ?? origin,
      crossOrigin: false,
    });
  }

  #response(id: string, response: object): string {
    const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    return JSON.stringify(credential);
  }
}
