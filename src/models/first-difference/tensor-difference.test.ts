import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../machine/vision/tensor/tensor.ts';
import { differenceOf, isBeyond, sizeOf } from './tensor-difference.ts';

const of = (...values: number[]): Tensor => ({
  dtype: 'float32',
  shape: [values.length],
  data: Float32Array.from(values),
});
const bound = { absolute: 0.5, relative: 0.25, outliers: 0, because: 'a test' };

describe('the difference of two tensors', () => {
  it('is the largest of their values, at its place, and how many lie beyond their bound', () => {
    expect(differenceOf(of(4, -8, 0), of(4, -6, 0.5), bound)).toMatchObject({ largest: 2, share: 0.25, at: [1], values: [-8, -6], beyond: 0 }); // prettier-ignore
    expect(differenceOf(of(4, 0), of(5.6, 0.6), bound).beyond).toBe(2);
  });

  it.each([
    ['an infinity beside a number', Infinity, 1],
    ['a number beside an infinity', 1, -Infinity],
    ['NaN beside a number', NaN, 1],
  ])('is beyond every bound: %s', (_, one, other) => {
    for (const relative of [0, 0.25])
      expect(differenceOf(of(2, one), of(2, other), { ...bound, relative })).toMatchObject({ largest: Infinity, beyond: 1 }); // prettier-ignore
  });

  it('is none where both say NaN, or the same infinity', () => {
    expect(differenceOf(of(NaN, Infinity), of(NaN, Infinity))).toMatchObject({ largest: 0, share: 0, beyond: 0 });
  });

  it('is beyond where more values are than its outliers, and where the shapes differ', () => {
    const outliers = { ...bound, outliers: 0.5 };
    expect(isBeyond(differenceOf(of(0, 0), of(9, 0), bound), outliers)).toBe(false);
    expect(isBeyond(differenceOf(of(0, 0), of(9, 9), bound), outliers)).toBe(true);
    expect(isBeyond(differenceOf(of(0, 0), of(0), bound), bound)).toBe(true);
  });
});

it('measures a tensor without what is not finite, and no spread of values that are all the same', () => {
  expect(sizeOf(of(3, -4, NaN, Infinity))).toEqual({ largest: 4, rms: Math.sqrt(12.5), spread: 3.5 });
  // by rounding, the variance of these is less than 0
  expect(sizeOf(of(...Array<number>(53).fill(100.1))).spread).toBe(0);
});
