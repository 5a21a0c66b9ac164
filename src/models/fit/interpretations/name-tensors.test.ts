import { describe, expect, it } from 'vitest';
import type { TensorDtype, TensorInfo } from '../../../machine/vision/tensor/tensor.ts';
import { nameTensors } from './name-tensors.ts';

const tensor = (name: string, shape: readonly number[], dtype: TensorDtype = 'float32'): TensorInfo => ({
  name,
  shape,
  dtype,
  symbols: shape.map(() => null),
});
const names = (
  inputs: readonly TensorInfo[],
  remapInputNames: Record<string, string> = {},
  remapOutputNames: Record<string, string> = {},
) => nameTensors({ inputs, outputs: [tensor('boxes', [1, 9, 4])] }, { remapInputNames, remapOutputNames });

const images = tensor('images', [1, 3, 416, 416]);

describe('nameTensors', () => {
  it.each([
    ['channels first', [images], { images: 'image' }],
    ['channels last', [tensor('input', [-1, 300, 300, 3], 'uint8')], { input: 'image' }],
    ['float16, which is refused for another reason', [tensor('data_0', [1, 3, 9, 9], 'float16')], { data_0: 'image' }],
    ['sizes left open', [tensor('x', [-1, -1, -1, -1])], { x: 'image' }],
    ['beside sizes', [images, tensor('orig_target_sizes', [-1, 2], 'int64')], { images: 'image' }],
    ['behind sizes', [tensor('im_shape', [1, 2]), images], { images: 'image' }],
  ])('names the one picture: %s', (_, inputs, remapInputNames) => {
    expect(names(inputs)).toEqual({ remapInputNames });
  });

  it.each([
    ['has the name already', [tensor('image', [1, 3, 9, 9])]],
    ['takes no picture', [tensor('tokens', [1, 128], 'int64')]],
    ['takes numbers that are no pixels', [tensor('x', [1, 3, 9, 9], 'int64')]],
    ['takes one channel', [tensor('x', [1, 1, 28, 28])]],
    ['takes two pictures', [tensor('left', [1, 3, 9, 9]), tensor('right', [1, 3, 9, 9])]],
  ])('writes nothing where a model %s', (_, inputs) => {
    expect(names(inputs)).toEqual({});
  });

  it('leaves a remap that was meant, and takes away those of a model that is gone', () => {
    const both = [tensor('left', [1, 3, 9, 9]), tensor('right', [1, 3, 9, 9])];
    expect(names(both, { right: 'image' })).toEqual({});
    expect(names([images], { data: 'image' })).toEqual({ remapInputNames: { images: 'image' } });
    expect(names([tensor('image', [1, 3, 9, 9])], { data: 'image' })).toEqual({ remapInputNames: {} });
    expect(names([tensor('image', [1, 3, 9, 9])], {}, { boxes: 'location', scores: 'score' })).toEqual({
      remapOutputNames: { boxes: 'location' },
    });
  });
});
