import { describe, expect, it } from 'vitest';
import { headModel, type HeadModel } from '../../../../tests/fit/head-models.ts';
import { runFitted } from '../../../../tests/fit/run-fitted.ts';
import { fitModel } from '../fit-model.ts';

const logits = [1, -2, 0.5, 3];
const softmax = (values: readonly number[]) => {
  const powers = values.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
};

function classifierModel(
  last: 'Softmax' | 'Sigmoid' | 'Identity',
  shape: readonly (number | string)[] = [1, 4],
  model: HeadModel = {},
) {
  const sizes = shape.map((size) => (typeof size === 'string' ? 1 : size));
  return headModel(model, (build) => {
    const values = build.floats(sizes, logits);
    build.output('scores', build.add(last, [values], last === 'Softmax' ? { axis: { int: 1 } } : {}), 'float32', shape);
  });
}

async function probabilities(...[source, request]: Parameters<typeof fitModel>): Promise<number[]> {
  const { probability } = await runFitted(fitModel(source, request).model);
  expect(probability!.shape).toEqual([1, probability!.values.length]);
  return probability!.values;
}

describe('a classifier', () => {
  it.each([
    ['of logits', 'Identity', softmax(logits)],
    ['of probabilities', 'Softmax', softmax(logits)],
    ['of independent probabilities', 'Sigmoid', logits.map((value) => 1 / (1 + Math.exp(-value)))],
  ] as const)('%s gives probabilities', async (_, last, wanted) => {
    const found = await probabilities(classifierModel(last));
    found.forEach((value, k) => expect(value).toBeCloseTo(wanted[k]!, 6));
  });

  it.each([[[1, 4, 1, 1]], [[1, 1, 1, 4]], [['batch', 4]]])('may have the shape %j', async (shape) => {
    expect((await probabilities(classifierModel('Identity', shape)))[3]).toBeCloseTo(softmax(logits)[3]!, 6);
  });

  it.each([
    ['one label fewer than classes', { labels: ['a', 'b', 'c'] }],
    ['the option', { options: { background: 'first' } }],
    ['the option, and labels for all', { options: { background: 'first' }, labels: ['none', 'a', 'b', 'c'] }],
  ])('leaves a background class out for %s', async (_, request) => {
    const found = await probabilities(classifierModel('Identity'), request);
    found.forEach((value, k) => expect(value).toBeCloseTo(softmax(logits)[k + 1]!, 6));
    if ('labels' in request) expect(fitModel(classifierModel('Identity'), request).labels).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [
      "Caffe's bytes in BGR less a mean",
      { producer: 'onnx-caffe2' },
      { colour: 'bgr', stdDev: [1 / 255, 1 / 255, 1 / 255] },
    ],
    ["TensorFlow's −1..1", { producer: 'tf2onnx' }, { colour: 'rgb', mean: [0.5, 0.5, 0.5] }],
    ["Ultralytics' 0..1", { metadata: { task: 'classify' } }, { mean: [0, 0, 0], stdDev: [1, 1, 1] }],
    ["ImageNet's", {}, { mean: [0.485, 0.456, 0.406] }],
  ])('is fed %s by who wrote it', (_, model, preprocessing) => {
    expect(fitModel(classifierModel('Softmax', [1, 4], model)).preprocessing).toMatchObject(preprocessing);
  });

  it.each([
    ['an embedding', /makes an embedding/, [1, 4], 'ReduceL2'],
    ['a picture', /no output has one number a class/, [1, 1, 2, 2], 'Identity'],
    ['one number', /no output has one number a class/, [4, 1], 'Identity'],
  ] as const)('is not %s', (_, message, shape, operator) => {
    const source = headModel({}, (build) => {
      const values = build.floats(shape, logits);
      const length = operator === 'ReduceL2' ? build.add('ReduceL2', [values]) : build.floats([], [1]);
      build.output('o', build.add('Div', [values, length]), 'float32', shape);
    });
    expect(() => fitModel(source, { family: 'classifier' })).toThrow(
      expect.objectContaining({ code: 'not-this-family', message: expect.stringMatching(message) }),
    );
  });
});
