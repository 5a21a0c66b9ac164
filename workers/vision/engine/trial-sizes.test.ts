import { describe, expect, it } from 'vitest';
import { InferenceError } from '../../../src/machine/vision/errors/inference-error.ts';
import type { TensorInfo } from '../../../src/machine/vision/tensor/tensor.ts';
import { mayTakeAnotherSize, sizeNote, trialSizes } from './trial-sizes.ts';

const frame = { widthPx: 640, heightPx: 427 };
const picture = (shape: readonly number[]): TensorInfo => ({
  name: 'images',
  dtype: 'float32',
  shape,
  symbols: shape.map(() => null),
});
const sizes = (shape: readonly number[], metadata: Record<string, string> = {}) =>
  trialSizes({ inputs: [picture(shape)], metadata }, frame).map(({ widthPx, heightPx }) => `${widthPx}×${heightPx}`);

describe('trialSizes', () => {
  it.each([
    ['a fixed size', [1, 3, 320, 320], {}, ['640×427']],
    ['an open batch', [-1, 3, 320, 320], {}, ['640×427']],
    ['open sides', [1, 3, -1, -1], {}, ['640×427', '640×448', '32×32', '64×64']],
    ['open sides, channels last', [-1, -1, -1, 3], {}, ['640×427', '640×448', '32×32', '64×64']],
    [
      'a size in the metadata',
      [1, 3, -1, -1],
      { imgsz: '[320, 416]' },
      ['640×427', '640×448', '416×320', '32×32', '64×64'],
    ],
    ['one number there', [1, 3, -1, -1], { imgsz: '640' }, ['640×427', '640×448', '640×640', '32×32', '64×64']],
    ['nonsense there', [1, 3, -1, -1], { imgsz: '[]' }, ['640×427', '640×448', '32×32', '64×64']],
  ])('%s', (_, shape, metadata, expected) => {
    expect(sizes(shape, metadata as Record<string, string>)).toEqual(expected);
  });
});

it('says which size was refused, which is taken, and how to fix it', () => {
  const taken = { widthPx: 640, heightPx: 448, why: 'sides that are multiples of 32' };
  expect(sizeNote('images', true, frame, taken)).toMatch(
    /refuses 640×427; it takes 640×448 \(sides that are multiples of 32\).*--input_name images --input_shape 1,3,448,640 /,
  );
  expect(sizeNote('x', false, frame, taken)).toContain('--input_shape 1,448,640,3 ');
});

it.each([
  ['shape-mismatch', true],
  ['runtime', true],
  ['out-of-memory', false],
  ['unsupported-operator', false],
] as const)('a refusal of %s: another size may be taken: %s', (code, expected) => {
  expect(mayTakeAnotherSize(new InferenceError(code, ''))).toBe(expected);
});
