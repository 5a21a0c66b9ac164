import { describe, expect, it } from 'vitest';
import { float16BitsToNumber, numberToFloat16Bits } from './float16.ts';

describe('numberToFloat16Bits', () => {
  it('gives back all 63,488 finite numbers, both zeros and the infinities', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      if (((bits >> 10) & 31) === 31 && (bits & 1023) !== 0) continue;
      expect(numberToFloat16Bits(float16BitsToNumber(bits))).toBe(bits);
    }
  });

  it('rounds ties to the even one, and numbers beside them to the nearest', () => {
    for (const bits of [0, 1, 1023, 1024, 0x3bff, 0x3c00, 0x7bfe]) {
      const [a, b] = [float16BitsToNumber(bits), float16BitsToNumber(bits + 1)];
      const middle = (a + b) / 2;
      expect(numberToFloat16Bits(middle)).toBe(bits % 2 === 0 ? bits : bits + 1);
      expect(numberToFloat16Bits(middle + (b - a) / 8)).toBe(bits + 1);
      expect(numberToFloat16Bits(middle - (b - a) / 8)).toBe(bits);
    }
    expect(numberToFloat16Bits(65519)).toBe(0x7bff);
    expect(numberToFloat16Bits(-1e9)).toBe(0xfc00);
    expect(numberToFloat16Bits(NaN)).toBe(0x7e00);
  });
});
