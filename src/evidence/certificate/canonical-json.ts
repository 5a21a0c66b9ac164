import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Writes a value so that equal values have equal texts: keys in order, no white space, numbers as JavaScript writes them
 * (RFC 8785).
 *
 * @param value what JSON can say; members that are undefined are left out
 * @returns JSON text
 * @example
 * canonicalJson({ b: [1, 0.5], a: 'x' }); // => '{"a":"x","b":[1,0.5]}'
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/**
 * @param value what JSON can say
 * @returns SHA-256 of its canonical text, in hex
 * @example
 * canonicalSha256({ b: 1, a: 2 }) === canonicalSha256({ a: 2, b: 1 }); // => true
 */
export function canonicalSha256(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}
