import { describe, expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { decodeClassifications } from './decode-classifications.ts';

const float64 = (values: number[]): Tensor => ({
  dtype: 'float64',
  shape: [1, values.length],
  data: Float64Array.from(values),
});
const scoresOf = (values: number[]) => [...decodeClassifications(float64(values), null).score];

describe('two values and more', () => {
  it.each([
    ['within 0..1 as they are, whatever their sum', [0.9, 0.8, 0], [0.9, 0.8, 0]],
    ['0 and 1 themselves are within', [0, 1], [0, 1]],
    ['one above 1: softmax over all', [0, Math.log(3) + 1e-15], [0.25, 0.75]],
    ['one below 0: softmax over all', [-Math.log(3), 0], [0.25, 0.75]],
  ])('%s', (_, values, scores) => {
    const found = scoresOf(values);
    scores.forEach((score, i) => expect(found[i]).toBeCloseTo(score, 12));
  });

  it('overflows as the machine does, without subtracting the maximum', () => {
    expect(scoresOf([800, 1])).toEqual([NaN, 0]);
  });

  it('lets NaN alone where nothing else is out of range', () => {
    expect(scoresOf([NaN, 0.5])).toEqual([NaN, 0.5]);
  });
});

describe('one value', () => {
  it.each([
    [0.3, 0.3],
    [-1, 0],
    [-0.5, 0],
    [-1e-9, 0],
    [0, 0],
    [1, 1],
    [2, 1 / (1 + Math.exp(-2))],
    [-2, 1 / (1 + Math.exp(2))],
  ])('%d becomes %d', (value, score) => {
    expect(scoresOf([value])).toEqual([score]);
  });
});

describe('labels', () => {
  it('are taken in order', () => {
    expect(decodeClassifications(float32([1, 2], [0.25, 0.75]), ['no face', 'face']).labels).toEqual([
      'no face',
      'face',
    ]);
  });

  it.each([null, []])('are index numbers without a list (%j)', (labels) => {
    expect(decodeClassifications(float32([1, 3, 1, 1], [0, 0, 1]), labels).labels).toEqual(['0', '1', '2']);
  });

  it('must be as many as the values; the message names both counts', () => {
    expect(() => decodeClassifications(float32([1, 3], [0, 0, 1]), ['a', 'b'])).toThrow(
      expect.objectContaining({ code: 'label-count', message: expect.stringMatching(/3 values for 2 labels/) }),
    );
  });
});

it.each([
  ['empty-output', { dtype: 'float32', shape: [1, 0], data: new Float32Array() }],
  ['not-numeric', { dtype: 'string', shape: [1], data: new Uint8Array(1) }],
] as const)('refuses with %s', (code, tensor) => {
  expect(() => decodeClassifications(tensor, null)).toThrow(expect.objectContaining({ code }));
});

it.each([
  ['text', { dtype: 'string', shape: [1], data: new Uint8Array(1) }, 'The probabilities are string values; numbers are needed.'],
  ['nothing', { dtype: 'float32', shape: [1, 0], data: new Float32Array() }, 'The probability tensor 1×0 has no values; one a label is needed.'],
] as const)('says what is wrong with %s', (_, tensor, message) => {
  expect(() => decodeClassifications(tensor, null)).toThrow(message);
}); // prettier-ignore

it('gives scores of its own, not the memory of the model', () => {
  const tensor = float64([0.25, 0.75]);
  decodeClassifications(tensor, null).score[0] = 9;
  expect(tensor.data[0]).toBe(0.25);
});

it('reads bytes as they are, so that a quantised model goes through softmax', () => {
  const { score } = decodeClassifications({ dtype: 'uint8', shape: [1, 2], data: Uint8Array.of(1, 3) }, null);
  expect(score[1]).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
});
