import { describe, expect, it } from 'vitest';
import { patternFrame } from '../frame/pattern-frame.ts';
import type { InputSpec } from './input-spec.ts';
import { preprocess } from './preprocess.ts';

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'uint8',
  layout: 'nhwc',
  widthPx: 2,
  heightPx: 3,
  bgr: false,
  mean: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
};

describe('preprocess', () => {
  it('stretches to the size of the spec and packs', () => {
    const tensor = preprocess(patternFrame('rgba8', 5, 4), spec);
    expect(tensor.shape).toEqual([1, 3, 2, 3]);
    expect([...tensor.data].slice(0, 6)).toEqual([84, 128, 132, 140, 139, 129]);
  });

  it.each([
    [null, null, [1, 4, 5, 3]],
    [null, 2, [1, 2, 5, 3]],
    [7, null, [1, 4, 7, 3]],
  ])('takes the size of the frame where the model leaves it open: %s×%s', (widthPx, heightPx, shape) => {
    const tensor = preprocess(patternFrame('rgba8', 5, 4), { ...spec, widthPx, heightPx });
    expect(tensor.shape).toEqual(shape);
    expect(tensor.data).toHaveLength(shape.reduce((a, b) => a * b));
  });
});
