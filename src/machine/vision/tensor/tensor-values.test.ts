import { describe, expect, it } from 'vitest';
import { float16BitsToNumber } from './float16.ts';
import { shapeText, tensorToFloat64 } from './tensor-values.ts';

describe('tensorToFloat64', () => {
  it.each([
    ['float32', Float32Array.of(0.7, -1), [Math.fround(0.7), -1]],
    ['float64', Float64Array.of(0.7), [0.7]],
    ['int64', BigInt64Array.of(-5n, 80n), [-5, 80]],
    ['uint64', BigUint64Array.of(2n ** 63n), [2 ** 63]],
    ['int8', Int8Array.of(-128), [-128]],
    ['uint8', Uint8Array.of(255), [255]],
    ['int16', Int16Array.of(-300), [-300]],
    ['uint16', Uint16Array.of(65535), [65535]],
    ['int32', Int32Array.of(-70000), [-70000]],
    ['uint32', Uint32Array.of(4_000_000_000), [4_000_000_000]],
    ['float16', Uint16Array.of(0x3800, 0xc000), [0.5, -2]],
    ['bool', Uint8Array.of(0, 1), [0, 1]],
  ] as const)('widens %s', (dtype, data, values) => {
    expect([...tensorToFloat64({ dtype, shape: [data.length], data })!]).toEqual(values);
  });

  it('has no numbers for text', () => {
    expect(tensorToFloat64({ dtype: 'string', shape: [1], data: new Uint8Array(1) })).toBeNull();
  });
});

it.each([
  [0x0000, 0],
  [0x0001, 2 ** -24],
  [0x03ff, 1023 * 2 ** -24],
  [0x0400, 2 ** -14],
  [0x3c00, 1],
  [0x3555, 0.333251953125],
  [0x7bff, 65504],
  [0xfbff, -65504],
  [0x7c00, Infinity],
  [0xfc00, -Infinity],
  [0x7e00, NaN],
])('float16 bits %i are %d', (bits, number) => {
  expect(float16BitsToNumber(bits)).toBe(number);
});

it.each([
  [[1, 3, 320, 320], '1×3×320×320'],
  [[-1, 3, 320, -1], '?×3×320×?'],
  [[], 'scalar'],
])('shapeText(%j) is %s', (shape, text) => {
  expect(shapeText(shape)).toBe(text);
});
