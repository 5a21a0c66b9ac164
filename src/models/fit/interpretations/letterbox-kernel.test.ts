import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../machine/vision/frame/frame.ts';
import type { InputSpec } from '../../../machine/vision/preprocess/input-spec.ts';
import { referenceStretchKernel } from '../../../machine/vision/preprocess/preprocess.ts';
import type { BoxRows } from './box-rows.ts';
import { hasMargin, letterboxing, withoutMargin } from './letterbox-kernel.ts';

/** Red, 4 wide and 2 high. */
const frame: Frame = {
  format: 'rgba8',
  widthPx: 4,
  heightPx: 2,
  samples: Uint8ClampedArray.from({ length: 32 }, (_, i) => (i % 4 === 0 || i % 4 === 3 ? 255 : 0)),
};
const spec: InputSpec = {
  tensorName: 'x',
  dtype: 'uint8',
  layout: 'nhwc',
  widthPx: 4,
  heightPx: 4,
  bgr: false,
  mean: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
};
const kernel = letterboxing(referenceStretchKernel);

describe('letterboxing', () => {
  it('puts the frame in the middle, gray above and below it', () => {
    const { data, shape } = kernel.stretchToTensor(frame, spec);
    const rows = [0, 1, 2, 3].map((y) => [...data.subarray(12 * y, 12 * y + 3)]);
    expect(shape).toEqual([1, 4, 4, 3]);
    expect(rows).toEqual([
      [114, 114, 114],
      [255, 0, 0],
      [255, 0, 0],
      [114, 114, 114],
    ]);
  });

  it('gives the gray the range of the model, channels first', () => {
    const { data } = kernel.stretchToTensor(frame, { ...spec, dtype: 'float32', layout: 'nchw' });
    const red = [...data.subarray(0, 16)] as number[];
    expect(red.filter((_, at) => at % 4 === 0).map((value) => Number(value.toFixed(3)))).toEqual([
      -0.106, 1, 1, -0.106,
    ]);
  });

  it('leaves a model of open sides its frame', () => {
    expect(kernel.stretchToTensor(frame, { ...spec, widthPx: null, heightPx: null }).shape).toEqual([1, 2, 4, 3]);
  });
});

it('brings boxes of the letterbox back to the frame', () => {
  const rows = { box: Float64Array.of(0, 0.25, 0.5, 0.75) } as BoxRows;
  expect([...withoutMargin(rows, frame, { widthPx: 4, heightPx: 4 }).box]).toEqual([0, 0, 0.5, 1]);
});

it.each([
  ['another shape', { widthPx: 4, heightPx: 4 }, true],
  ['the same shape', { widthPx: 8, heightPx: 4 }, false],
  ['open sides', { widthPx: null, heightPx: null }, false],
])('knows whether there is a margin: %s', (_, input, expected) => {
  expect(hasMargin(frame, input)).toBe(expected);
});
