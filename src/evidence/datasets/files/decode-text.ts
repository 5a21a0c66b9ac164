import { strFromU8 } from 'fflate';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** The characters of the bytes 0x80..0x9f, in which windows-1252 differs from ISO 8859-1 (WHATWG Encoding). */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes a text file of any annotation tool: UTF-8 or UTF-16 by its byte order mark, otherwise UTF-8 if the bytes are
 * valid UTF-8, otherwise windows-1252. The mark is not part of the text.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: decodeUtf16(bytes, 2, 0), encoding: 'utf-16le' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: decodeUtf16(bytes, 2, 1), encoding: 'utf-16be' };
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = hasMark ? bytes.subarray(3) : bytes;
  if (isUtf8(body)) return { text: strFromU8(body), encoding: 'utf-8' };
  const text = strFromU8(body, true).replace(/[\x80-\x9f]/g, (letter) => windows1252[letter.charCodeAt(0) - 0x80]!);
  return { text, encoding: 'windows-1252' };
}

/** Whether bytes start with a byte order mark of UTF-16. Such a text cannot be split at single line feed bytes. */
export function startsAsUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function decodeUtf16(bytes: Uint8Array, start: number, lowByte: 0 | 1): string {
  const parts: string[] = [];
  for (let at = start; at + 1 < bytes.length; at += 16_384) {
    const units: number[] = [];
    for (let i = at; i + 1 < bytes.length && i < at + 16_384; i += 2) {
      units.push(bytes[i + lowByte]! | (bytes[i + 1 - lowByte]! << 8));
    }
    parts.push(String.fromCharCode(...units));
  }
  return parts.join('');
}

/** Well-formed UTF-8 (RFC 3629 §4): no overlong forms, no surrogates, nothing above U+10FFFF. */
export function isUtf8(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0 || at + length > bytes.length) return false;
    for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return false;
    const second = bytes[at + 1]!;
    if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return false;
    if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return false;
    at += length;
  }
  return true;
}
