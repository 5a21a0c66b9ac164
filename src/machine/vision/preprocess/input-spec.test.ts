import { describe, expect, it } from 'vitest';
import type { TensorDtype, TensorInfo } from '../tensor/tensor.ts';
import { inputSpec, type InputAttributes } from './input-spec.ts';

const attributes: InputAttributes = {
  remapInputNames: {},
  meanValue: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
  bgr: false,
};
const input = (shape: readonly number[], dtype: TensorDtype = 'float32', name = 'images'): TensorInfo => ({
  name,
  dtype,
  shape,
  symbols: shape.map(() => null),
});

describe('inputSpec', () => {
  it.each([
    [[1, 3, 240, 320], 'nchw', 240, 320],
    [[1, 240, 320, 3], 'nhwc', 240, 320],
    [[-1, 3, -1, -1], 'nchw', null, null],
    [[1, -1, 320, 3], 'nhwc', null, 320],
    [[1, 1, 28, 28], 'nhwc', 1, 28], // one channel: the machine reads it as channels last
    [[3, 3, 64, 64], 'nhwc', 3, 64], // the first 3 stands at index 0
    [[1, 3, 3, 3], 'nchw', 3, 3],
  ] as const)('reads shape %j', (shape, layout, heightPx, widthPx) => {
    expect(inputSpec([input(shape)], attributes)).toMatchObject({ layout, heightPx, widthPx });
  });

  it.each([
    [{}, 'image'],
    [{ images: 'image' }, 'images'],
    [{ other: 'thing', data_0: 'image' }, 'data_0'],
    [{ image: 'something else' }, 'image'],
  ])('names the tensor under the remap %j', (remapInputNames, tensorName) => {
    expect(inputSpec([input([1, 3, 8, 8])], { ...attributes, remapInputNames }).tensorName).toBe(tensorName);
  });

  it('takes a half where fewer than three are given', () => {
    const spec = inputSpec([input([1, 8, 8, 3])], { ...attributes, meanValue: [1], stdDev: [2, 3] });
    expect(spec).toMatchObject({ mean: [1, 0.5, 0.5], stdDev: [2, 3, 0.5] });
    expect(inputSpec([input([1, 8, 8, 3])], { ...attributes, meanValue: [], stdDev: [] }).mean).toEqual([
      0.5, 0.5, 0.5,
    ]);
  });

  it.each([
    [[1, 3, 1, 1], 1],
    [[1, 3, -1, 8], null],
  ])('takes the size of %j', (shape, heightPx) => {
    expect(inputSpec([input(shape)], attributes).heightPx).toBe(heightPx);
  });

  it.each([[[1, 3, 8, 0]], [[1, 3, 8, -2]], [[1, -2, 8, 3]], [[1, 3, 8]]])('refuses the sizes %j', (shape) => {
    expect(() => inputSpec([input(shape)], attributes)).toThrow(expect.objectContaining({ code: 'shape-mismatch' }));
  });

  it('tells how to convert float16, and nothing of the kind for others', () => {
    expect(() => inputSpec([input([1, 3, 8, 8], 'float16')], attributes)).toThrow(/only\. onnxconverter_common/);
    expect(() => inputSpec([input([1, 3, 8, 8], 'int8')], attributes)).toThrow(/only\.$/);
  });

  it('takes the first input, and of mean and deviation the first three', () => {
    const spec = inputSpec([input([1, 8, 8, 3], 'uint8'), input([1, 2], 'int64')], {
      ...attributes,
      meanValue: [1, 2, 3, 4],
      stdDev: [5, 6, 7, 8],
      bgr: true,
    });
    expect(spec).toMatchObject({ dtype: 'uint8', mean: [1, 2, 3], stdDev: [5, 6, 7], bgr: true });
  });

  it.each([
    ['unsupported-dtype', [input([1, 3, 8, 8], 'float16')], /float16.*uint8 or float32/],
    ['unsupported-dtype', [input([1, 3, 8, 8], 'int64')], /int64/],
    ['shape-mismatch', [], /no input/],
    ['shape-mismatch', [input([1, 784])], /"images" has 2 sizes \(1×784\)/],
    ['shape-mismatch', [input([1, 3, 0, 8])], /0 px/],
  ] as const)('fails with %s', (code, inputs, message) => {
    expect(() => inputSpec(inputs, attributes)).toThrow(
      expect.objectContaining({ name: 'InferenceError', code, message: expect.stringMatching(message) }),
    );
  });
});
