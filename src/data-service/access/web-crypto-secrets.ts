import { timingSafeEqual } from './timing-safe-equal.ts';
import type { HashedSecret } from '../ports/access-store.ts';
import type { Secrets } from '../ports/secrets.ts';

// OWASP's Password Storage Cheat Sheet (2023): 600,000 iterations for PBKDF2 with HMAC-SHA-256.
const defaultIterations = 600_000;
const hashBits = 256;

/**
 * Implements the service's cryptography on WebCrypto, which browsers and Node share.
 * @param crypto of the host
 * @param iterations of PBKDF2; tests may ask for fewer
 * @returns hashes of secrets, signatures and random bytes
 * @example
 * const secrets = webCryptoSecrets(crypto, 1);
 * await secrets.verify('secret', await secrets.hash('secret')); // => true
 * secrets.randomBytes(32).length; // => 32
 */
export function webCryptoSecrets(crypto: typeof globalThis.crypto, iterations = defaultIterations): Secrets {
  const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

  async function derive(password: string, salt: Uint8Array, rounds: number): Promise<Uint8Array> {
    const material = await crypto.subtle.importKey('raw', utf8(password), 'PBKDF2', false, ['deriveBits']);
    const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt: salt.slice(), iterations: rounds };
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, hashBits));
  }

  async function sign(key: Uint8Array, message: string): Promise<Uint8Array> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const imported = await crypto.subtle.importKey('raw', key.slice(), algorithm, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8(message)));
  }

  return {
    randomBytes,
    derive,
    sign,
    async hash(secret): Promise<HashedSecret> {
      const salt = randomBytes(16);
      return { algorithm: 'pbkdf2-sha256', iterations, salt, hash: await derive(secret, salt, iterations) };
    },
    async verify(secret, hashed) {
      return timingSafeEqual(await derive(secret, hashed.salt, hashed.iterations), hashed.hash);
    },
    async verifySignature(key, message, signature) {
      return timingSafeEqual(await sign(key, message), signature);
    },
    async sha256(bytes) {
      return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
    },
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
