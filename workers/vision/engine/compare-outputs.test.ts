import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../../src/vision/tensor.ts';
import { compareOutputs, outputsAgree } from './compare-outputs.ts';

const floats = (...values: number[]): Tensor => ({
  dtype: 'float32',
  shape: [values.length],
  data: Float32Array.from(values),
});

describe('compareOutputs', () => {
  it.each([
    ['equal', floats(1, -2), floats(1, -2), { largest: 0, magnitude: 2 }, true],
    ['rounding', floats(100, 1), floats(100.5, 1), { largest: 0.5, magnitude: 100 }, true],
    ['other numbers', floats(100, 1), floats(100, 4), { largest: 3, magnitude: 100 }, false],
    ['another count', floats(1, 2), floats(1), { largest: null, magnitude: 0 }, false],
    ['NaN on both', floats(NaN, 1), floats(NaN, 1), { largest: 0, magnitude: 1 }, true],
    ['NaN on one', floats(NaN, 1), floats(0, 1), { largest: Infinity, magnitude: 1 }, false],
  ])('%s', (_, a, b, difference, agree) => {
    expect(compareOutputs({ y: a }, { y: b })).toEqual(difference);
    expect(outputsAgree(difference)).toBe(agree);
  });

  it('reads float16 by value', () => {
    const half = (bits: number): Tensor => ({ dtype: 'float16', shape: [1], data: Uint16Array.of(bits) });
    expect(compareOutputs({ y: half(0x3c00) }, { y: half(0x4000) }).largest).toBe(1);
  });

  it('misses an output that the other lacks', () => {
    expect(compareOutputs({ y: floats(1) }, {}).largest).toBeNull();
  });
});
