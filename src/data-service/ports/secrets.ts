import type { HashedSecret } from './access-store.ts';

/** The cryptography the service needs. `webCryptoSecrets` implements it over WebCrypto for every host. */
export interface Secrets {
  randomBytes(length: number): Uint8Array;
  /** A fresh salt and a slow hash. */
  hash(secret: string): Promise<HashedSecret>;
  /** Whether this is the secret that was hashed, compared in constant time. */
  verify(secret: string, hashed: HashedSecret): Promise<boolean>;
  /** HMAC-SHA-256. */
  sign(key: Uint8Array, message: string): Promise<Uint8Array>;
  /** Whether `signature` is that HMAC, compared in constant time. */
  verifySignature(key: Uint8Array, message: string, signature: Uint8Array): Promise<boolean>;
  /** PBKDF2 with HMAC-SHA-256, 32 bytes: the first step of SCRAM-SHA-256. */
  derive(password: string, salt: Uint8Array, iterations: number): Promise<Uint8Array>;
  sha256(bytes: Uint8Array): Promise<Uint8Array>;
}
