import { bytesToHex } from '@noble/hashes/utils.js';
import type { Certificate } from './certificate.ts';
import { signedBytes } from './signature-state.ts';

/** A key that signs, and that nobody can read. */
export interface SigningKey {
  /** the uncompressed point of P-256, 65 bytes */
  readonly publicKey: Uint8Array;
  /** ECDSA over P-256 and SHA-256: r and s, 64 bytes */
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

/**
 * Signs a certificate.
 *
 * @param certificate without a signature, or with another one, which goes
 * @param key of whoever makes the statement
 * @returns a new certificate
 * @example
 * const key = { publicKey: Uint8Array.of(4), sign: async (bytes) => bytes.slice(0, 2) };
 * (await signCertificate({ claims: [] }, key)).signature.publicKey; // => '04'
 */
export async function signCertificate(certificate: Certificate, key: SigningKey): Promise<Certificate> {
  const publicKey = bytesToHex(key.publicKey);
  const value = bytesToHex(await key.sign(signedBytes(certificate, publicKey)));
  return { ...certificate, signature: { algorithm: 'ECDSA P-256 SHA-256', publicKey, value } };
}
