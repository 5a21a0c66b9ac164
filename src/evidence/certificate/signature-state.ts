import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical-json.ts';
import type { Certificate, Signature } from './certificate.ts';

/** 'cannot': this page has no WebCrypto, as on plain http. */
export type SignatureState = 'none' | 'valid' | 'broken' | 'cannot';

/**
 * Checks a certificate's signature against the key that stands in it.
 *
 * @param certificate as it was read
 * @param subtle WebCrypto; undefined: the page has none
 * @returns whether it fits the statement
 * @example
 * await signatureState({ signature: null }, undefined); // => 'none'
 */
export async function signatureState(
  certificate: Certificate,
  subtle: typeof crypto.subtle | undefined,
): Promise<SignatureState> {
  const { signature } = certificate;
  if (!signature) return 'none';
  if (!subtle) return 'cannot';
  try {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const key = await subtle.importKey('raw', bytesOf(signature.publicKey), algorithm, false, ['verify']);
    const bytes = signedBytes(certificate, signature.publicKey);
    return (await subtle.verify(algorithm, key, bytesOf(signature.value), bytes)) ? 'valid' : 'broken';
  } catch {
    return 'broken'; // no point of the curve
  }
}

/**
 * The short name of a key, by which two persons can compare it.
 *
 * @param signature of a certificate
 * @returns SHA-256 of the public key in hex, in groups of four
 * @example
 * fingerprintOf({ publicKey: '010203' }).slice(0, 14); // => '0390 58c6 f2c0'
 */
export function fingerprintOf({ publicKey }: Pick<Signature, 'publicKey'>): string {
  return bytesToHex(sha256(bytesOf(publicKey))).replace(/.{4}(?=.)/g, '$& ');
}

/**
 * @param one a fingerprint, however its groups are parted
 * @param other another one
 * @returns whether they are of the same key
 * @example
 * isSameFingerprint('0390 58C6', '0390:58c6'); // => true
 */
export const isSameFingerprint = (one: string, other: string): boolean => digitsOf(one) === digitsOf(other);

const digitsOf = (fingerprint: string): string => fingerprint.toLowerCase().replace(/[^0-9a-z]/g, '');

/** The key is part of it, so that nobody can find another key for a signature that is there. */
export function signedBytes({ signature: _, ...statement }: Certificate, publicKey: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(utf8ToBytes(`sightglass-certificate ${publicKey} ${canonicalJson(statement)}`));
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(hexToBytes(hex));
