import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { float32SafeThreshold } from './float32-threshold.ts';

describe('float32SafeThreshold', () => {
  it.each([
    [0.7, 0.69999998],
    [0.9, 0.89999997],
    [0.35, 0.34999999],
  ])('gives a threshold that keeps a float32 score of %f', (threshold, expected) => {
    expect(Math.fround(threshold) >= threshold).toBe(false);
    expect(float32SafeThreshold(threshold)).toBe(expected);
    expect(Math.fround(threshold) >= expected).toBe(true);
  });

  it.each([0, 0.5, 0.25, 0.1, 0.6, 1])('leaves %f, which loses nothing by rounding', (threshold) => {
    expect(float32SafeThreshold(threshold)).toBe(threshold);
  });

  it('keeps the meant score and no lower one', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1, noNaN: true }), (threshold) => {
        const safe = float32SafeThreshold(threshold);
        const score = Math.fround(threshold);
        const bits = new DataView(new ArrayBuffer(4));
        bits.setFloat32(0, score);
        bits.setInt32(0, bits.getInt32(0) - 1);
        expect(score >= safe).toBe(true);
        expect(bits.getFloat32(0) >= safe).toBe(false);
      }),
      { seed: 20261130 },
    );
  });
});
