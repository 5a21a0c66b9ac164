import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

describe('decodeText', () => {
  it.each([
    ['plain', [0x61], 'a', 'utf-8'],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa4], 'ä', 'utf-8'],
    ['four bytes a letter', [0xf0, 0x9f, 0x90, 0x95], '🐕', 'utf-8'],
    ['UTF-16, low byte first', [0xff, 0xfe, 0xe4, 0x00, 0x61, 0x00], 'äa', 'utf-16le'],
    ['UTF-16, high byte first', [0xfe, 0xff, 0x00, 0xe4, 0x00, 0x61], 'äa', 'utf-16be'],
    ['windows-1252', [0x93, 0xfc, 0x94, 0x80], '“ü”€', 'windows-1252'],
    ['an overlong form', [0xc0, 0xaf], 'À¯', 'windows-1252'],
    ['half a surrogate pair', [0xed, 0xa0, 0x80], 'í\u00a0€', 'windows-1252'],
    ['a letter cut off', [0x61, 0xc3], 'aÃ', 'windows-1252'],
    ['nothing', [], '', 'utf-8'],
  ])('reads %s', (_, bytes, text, encoding) => {
    expect(decodeText(Uint8Array.from(bytes))).toEqual({ text, encoding });
  });
});
