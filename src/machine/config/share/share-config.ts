import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import { ShareError } from './share-error.ts';
import { withoutSecrets } from './without-secrets.ts';
import { joinBytes } from '../../../base/streams/join-bytes.ts';

/** First characters of every share: a later format will begin with others. */
const versionPrefix = '1.';
/** A share is typed into the address bar by anyone: never inflate more than this. */
const largestTextBytes = 4 * 1024 * 1024;

export interface Share {
  /** text that follows `#config=` */
  readonly encoded: string;
  /** how many values were left out because their key names a secret */
  readonly secretsRemoved: number;
}

/**
 * Packs a configuration for an address: without secrets, deflated, as base64url.
 * @param text strict JSON
 * @returns what follows `#config=`, and how many secrets were left out
 * @throws ShareError `not-json` if mistakes in the text could hide a secret
 * @example
 * const { encoded, secretsRemoved } = shareConfig('{"api_key": "abc"}');
 * [decodeShare(encoded), secretsRemoved]; // => ['{"api_key": ""}', 1]
 */
export function shareConfig(text: string): Share {
  const { text: clean, removed } = withoutSecrets(text);
  const bytes = deflateSync(strToU8(clean), { level: 9 });
  return { encoded: versionPrefix + toBase64Url(bytes), secretsRemoved: removed };
}

/** The configuration text of a share. ShareError where it is damaged, of another version, or too large. */
export function decodeShare(encoded: string): string {
  if (!encoded.startsWith(versionPrefix)) {
    throw new ShareError(
      'unknown-version',
      `The link starts with "${encoded.slice(0, 8)}", not "${versionPrefix}": it was made by another version, or cut off.`,
    );
  }
  try {
    return strFromU8(inflate(fromBase64Url(encoded.slice(versionPrefix.length))));
  } catch (cause) {
    if (cause instanceof ShareError) throw cause;
    throw new ShareError(
      'damaged',
      'The shared configuration cannot be unpacked: the link is cut off or changed. Copy it again in full.',
      { cause },
    );
  }
}

// One byte of deflate unpacks to at most 1,032 bytes (RFC 1951), so a piece unpacks to at most 1 MiB.
const pieceBytes = 1024;

/** Piece by piece, and no further than a configuration may be long: a short link can hold a hundred megabytes. */
function inflate(packed: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Inflate((part) => {
    length += part.length;
    parts.push(part);
  });
  for (let at = 0; at < packed.length; at += pieceBytes) {
    stream.push(packed.subarray(at, at + pieceBytes), at + pieceBytes >= packed.length);
    if (length > largestTextBytes) {
      throw new ShareError('too-large', 'The shared configuration is larger than 4 MiB.');
    }
  }
  return joinBytes(parts);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function toBase64Url(bytes: Uint8Array): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | (b << 8) | c;
    const digits = Math.min(bytes.length - at, 3) + 1;
    for (let digit = 0; digit < digits; digit++) out += alphabet[(bits >> (18 - 6 * digit)) & 63];
  }
  return out;
}

function fromBase64Url(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let length = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) throw new RangeError(`"${character}" is not a base64url digit`);
    bits = ((bits << 6) | digit) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[length++] = (bits >> held) & 0xff;
  }
  return bytes;
}
