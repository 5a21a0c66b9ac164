import { describe, expect, it } from 'vitest';
import { hexColor, parseHexColor } from './parse-hex-color.ts';

describe('parseHexColor', () => {
  it.each<[text: string, color: readonly number[] | null]>([
    ['#336699', [0x33, 0x66, 0x99]],
    ['#aBcDeF', [0xab, 0xcd, 0xef]],
    ['#3366998', [0x33, 0x66, 0x99]],
    ['#336699 and more', [0x33, 0x66, 0x99]],
    ['#33669', [0x33, 0x66, 0x09]],
    ['#3 66 9', [0x03, 0x66, 0x09]],
    ['# 33\t66\u00a099', [0x33, 0x66, 0x99]],
    ['#33\r6699', [0x33, 0x66, 0x99]],
    ['#369', null], // two digits are taken where there are two, and no third channel is left
    ['#33\n6699', null],
    ['#33\ufeff6699', null],
    [' #336699', null],
    ['336699', null],
    ['#33-669', null],
    ['#', null],
    ['', null],
  ])('%j', (text, color) => {
    const found = parseHexColor(text);
    expect(found ? [found.red, found.green, found.blue] : null).toEqual(color);
  });

  it('reads what it writes', () => {
    expect(hexColor(parseHexColor('#0A0b0c')!)).toBe('#0a0b0c');
  });
});
