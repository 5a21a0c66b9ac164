import { describe, expect, it } from 'vitest';
import { decodeText, startsAsUtf16 } from './decode-text.ts';

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
    ['two bytes of which the second begins nothing', [0xc3, 0x28], 'Ã(', 'windows-1252'],
    ['the last of three that goes on nothing', [0xe2, 0x82, 0x28], 'â‚(', 'windows-1252'],
    ['a byte that goes on nothing', [0x61, 0x80], 'a€', 'windows-1252'],
    ['two bytes too long for one letter', [0xc1, 0xbf], 'Á¿', 'windows-1252'],
    ['three too long for two', [0xe0, 0x9f, 0xbf], 'àŸ¿', 'windows-1252'],
    ['the first letter of three bytes', [0xe0, 0xa0, 0x80], '\u0800', 'utf-8'],
    ['the letter before the surrogates', [0xed, 0x9f, 0xbf], '\ud7ff', 'utf-8'],
    ['the first letter of four bytes', [0xf0, 0x90, 0x80, 0x80], '\u{10000}', 'utf-8'],
    ['four too long for three', [0xf0, 0x8f, 0xbf, 0xbf], 'ð\x8f¿¿', 'windows-1252'],
    ['the last letter of all', [0xf4, 0x8f, 0xbf, 0xbf], '\u{10ffff}', 'utf-8'],
    ['one above it', [0xf4, 0x90, 0x80, 0x80], 'ô\x90€€', 'windows-1252'],
    ['a lead that leads to none', [0xf5, 0x80, 0x80, 0x80], 'õ€€€', 'windows-1252'],
    ['a mark of UTF-8 broken off', [0xef, 0xbb], 'ï»', 'windows-1252'],
    ['half of a mark of UTF-16', [0xff, 0x61], 'ÿa', 'windows-1252'],
    ['UTF-16 with half a unit left', [0xff, 0xfe, 0x61, 0x00, 0x62], 'a', 'utf-16le'],
  ])('reads %s', (_, bytes, text, encoding) => {
    expect(decodeText(Uint8Array.from(bytes))).toEqual({ text, encoding });
  });

  it('reads UTF-16 of any length', () => {
    const units = Array.from({ length: 20_000 }, (_, i) => 0x4e00 + (i % 20_000));
    const bytes = Uint8Array.from([0xfe, 0xff, ...units.flatMap((unit) => [unit >> 8, unit & 255])]);
    expect(decodeText(bytes).text).toBe(units.map((unit) => String.fromCharCode(unit)).join(''));
  });
});

it.each([
  [[0xff, 0xfe], true],
  [[0xfe, 0xff, 0], true],
  [[0xff, 0xff], false],
  [[0xfe, 0xfe], false],
  [[0xff], false],
  [[], false],
])('whether %j starts as UTF-16: %j', (bytes, starts) => {
  expect(startsAsUtf16(Uint8Array.from(bytes))).toBe(starts);
});
