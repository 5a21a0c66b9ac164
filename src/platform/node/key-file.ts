import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { errorCode, errorMessage } from '../../machine/vision/face/errors.ts';
import type { SigningKey } from '../../evidence/certificate/sign-certificate.ts';
import { privateFileMode, readableByOthers } from './private-folder.ts';

/** A file that is no key, or one that others can read. */
class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  readonly code: 'bad-key' | 'readable-by-others';
  constructor(code: KeyFileError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const curve = 'prime256v1'; // P-256, as the browser's keys

/** Makes a key in a new file, which only its owner reads; false: there is a file. */
export async function createKeyFile(path: string): Promise<boolean> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const file = await open(path, 'wx', privateFileMode).catch((error: unknown) => {
    if (errorCode(error, '') === 'EEXIST') return null;
    throw error;
  });
  if (!file) return false;
  try {
    await file.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  } catch (error) {
    await rm(path); // an empty file would be taken for a key from now on
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/** Opens a private key of P-256 in PEM. @throws KeyFileError, or the operating system's error */
export async function openKeyFile(path: string): Promise<SigningKey> {
  const text = await readFile(path, 'utf8');
  const [loose] = await readableByOthers([path]);
  if (loose !== undefined)
    throw new KeyFileError(
      'readable-by-others',
      `Others may read or change the key (${loose}): whoever has a copy can sign in your name. Take their rights away (chmod 600), and make a new key if somebody may have read it.`,
    );
  const key = parsed(text, path);
  const { x, y } = createPublicKey(key).export({ format: 'jwk' });
  const point = [x!, y!].map((part) => Buffer.from(part, 'base64url'));
  return {
    publicKey: new Uint8Array(Buffer.concat([Uint8Array.of(4), ...point])),
    sign: async (bytes) => new Uint8Array(sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })),
  };
}

function parsed(text: string, path: string): KeyObject {
  const cure = 'Make one in a new file by "sightglass signing-key FILE": a file that is there is never overwritten.';
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (cause) {
    throw new KeyFileError('bad-key', `"${path}" is not a private key in PEM: ${errorMessage(cause)} ${cure}`, {
      cause,
    });
  }
  if (key.asymmetricKeyDetails?.namedCurve !== curve)
    throw new KeyFileError('bad-key', `"${path}" is a key of another kind than ECDSA P-256. ${cure}`);
  return key;
}
