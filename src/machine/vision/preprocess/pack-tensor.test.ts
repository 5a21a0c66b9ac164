import { describe, expect, it } from 'vitest';
import { normalizedBytes, packTensor } from './pack-tensor.ts';

const half = [0.5, 0.5, 0.5] as const;
/** 2×1: (10, 20, 30) and (40, 50, 60). */
const rgb = Uint8ClampedArray.of(10, 20, 30, 40, 50, 60);

describe('packTensor', () => {
  it.each([
    ['nhwc', false, [1, 1, 2, 3], [10, 20, 30, 40, 50, 60]],
    ['nhwc', true, [1, 1, 2, 3], [30, 20, 10, 60, 50, 40]],
    ['nchw', false, [1, 3, 1, 2], [10, 40, 20, 50, 30, 60]],
    ['nchw', true, [1, 3, 1, 2], [30, 60, 20, 50, 10, 40]],
  ] as const)('packs bytes as %s, BGR %s, whatever mean and deviation say', (layout, bgr, shape, data) => {
    const tensor = packTensor(rgb, 2, 1, { dtype: 'uint8', layout, bgr, mean: [9, 9, 9], stdDev: [0, 0, 0] });
    expect(tensor).toEqual({ dtype: 'uint8', shape, data: Uint8Array.from(data) });
  });

  it('normalizes by output channel: in BGR order the first mean is for blue', () => {
    const tensor = packTensor(Uint8ClampedArray.of(0, 51, 255), 1, 1, {
      dtype: 'float32',
      layout: 'nchw',
      bgr: true,
      mean: [1, 0, 0.5],
      stdDev: [1, 2, 0.25],
    });
    // blue (1 − 1)/1, green (0.2 − 0)/2, red (0 − 0.5)/0.25
    expect(tensor.data).toEqual(Float32Array.of(0, Math.fround(0.2) / 2, -2));
    expect(tensor.shape).toEqual([1, 3, 1, 1]);
  });

  it('runs from −1 to 1 with the default mean and deviation', () => {
    const { data } = packTensor(Uint8ClampedArray.of(0, 255, 0), 1, 1, {
      dtype: 'float32',
      layout: 'nhwc',
      bgr: false,
      mean: half,
      stdDev: half,
    });
    expect(data).toEqual(Float32Array.of(-1, 1, -1));
  });
});

describe('normalizedBytes', () => {
  it('rounds every step to float32, as Go does', () => {
    // 6/255 → 0.0235294122248888, − 0.485 → −0.4614706039428711, / 0.229 → −2.015155553817749
    expect(normalizedBytes(0.485, 0.229)[6]).toBe(-2.015155553817749);
    // In float64 all the way, rounded once at the end, it is another number.
    expect(Math.fround((6 / 255 - 0.485) / 0.229)).toBe(-2.01515531539917);
  });
});
