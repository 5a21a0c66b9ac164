import { expect, it } from 'vitest';
import { fixedSession, imageInput } from '../../../../tests/fixed-session.ts';
import type { TensorDtype, TensorInfo } from '../tensor/tensor.ts';
import { refuseUnfilledInputs } from './unfilled-inputs.ts';

const input = (name: string, dtype: TensorDtype, shape: readonly number[]): TensorInfo => ({
  name,
  dtype,
  shape,
  symbols: shape.map(() => null),
});
const session = (...inputs: TensorInfo[]) => ({ ...fixedSession(imageInput([1, 3, 4, 4]), {}), inputs });
const image = input('image', 'float32', [1, 3, 4, 4]);

it('takes a model whose only input is fed', () => {
  expect(() => refuseUnfilledInputs(session(image), 'image')).not.toThrow();
});

it.each([
  ['a pair of whole numbers', input('size', 'int64', [1, 2]), '"size" takes int64 1×2, probably the width and height of the picture in whole pixels. Make it a constant'],
  ['a pair of others', input('size', 'float32', [2]), '"size" takes float32 2, probably the size of the picture or the scale that it was resized by. Make it a constant'],
  ['pairs in rows', input('size', 'int64', [1, 1, 2]), '"size" takes int64 1×1×2. Make it a constant'],
  ['three numbers', input('size', 'int64', [3]), '"size" takes int64 3. Make it a constant'],
  ['one number', input('size', 'bool', []), '"size" takes bool scalar. Make it a constant'],
  ['any number of numbers', input('size', 'float32', [-1, 0]), '"size" takes float32 any×0. Make it a constant'],
])('says what an input of %s may be', (_, other, words) => {
  expect(() => refuseUnfilledInputs(session(image, other), 'image')).toThrow(
    expect.objectContaining({
      code: 'unfilled-input',
      message: `The model has 2 inputs and the machine fills only "image": "size" would stay empty. ${words} inside the graph.`,
    }),
  );
}); // prettier-ignore

it('speaks of several together', () => {
  const others = [input('a', 'bool', [1]), input('b', 'bool', [1])];
  expect(() => refuseUnfilledInputs(session(image, ...others), 'image')).toThrow(
    '"a", "b" would stay empty. "a" takes bool 1. "b" takes bool 1. Make them constants inside the graph.',
  );
});

it('says how to feed a model whose input has another name', () => {
  expect(() => refuseUnfilledInputs(session({ ...image, name: 'x' }, input('y', 'bool', [1])), 'image')).toThrow(
    'The machine feeds an input named "image", which the model does not have. Its inputs: "x", "y". ' +
      'Write remap_input_names {"x": "image"}: model\'s name first.',
  );
});
