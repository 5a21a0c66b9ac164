import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../../tests/fit/head-models.ts';
import { chosenPlainly } from '../../../../../tests/fit/plain-detr.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };

function randomRows(seed: number, count = 12) {
  const random = randomSource(seed);
  const of = <T>(make: () => T): T[] => Array.from({ length: count }, make);
  return {
    boxes: of(() => [random() * 40, random() * 30, 45 + random() * 50, 35 + random() * 29].map(Math.fround)),
    labels: of(() => 1 + Math.floor(random() * 5)),
    scores: of(() => Math.fround(random())),
  };
}

type Rows = ReturnType<typeof randomRows>;
type Shape = readonly (number | string)[];

/** torchvision: no batch, as many rows as were found. */
function torchvisionModel({ boxes, labels, scores }: Rows, n: number | string = 'found') {
  return headModel(size, (build) => {
    build.output('boxes', build.floats([boxes.length, 4], boxes.flat()), 'float32', [n, 4]);
    build.output('labels', build.ints([labels.length], labels), 'int64', [n]);
    build.output('scores', build.floats([scores.length], scores), 'float32', [n]);
  });
}

/** MMDetection: the score behind the corners. */
function detsModel(
  { boxes, labels, scores }: Rows,
  shapes: readonly [Shape, Shape] = [
    ['b', 'n', 5],
    ['b', 'n'],
  ],
) {
  return headModel(size, (build) => {
    const rows = boxes.flatMap((box, row) => [...box, scores[row]!]);
    build.output('dets', build.floats([1, boxes.length, 5], rows), 'float32', shapes[0]);
    build.output('labels', build.ints([1, labels.length], labels), 'int64', shapes[1]);
  });
}

function plainly({ boxes, labels, scores }: Rows, firstClass: number) {
  const classes = labels.map((label) => label - firstClass);
  return chosenPlainly(boxes.flat(), classes, scores, { ...size, scoreThreshold: 0.01, maxDetections: 100 });
}

/** torchvision as its documentation exports it: the picture without a batch. Each channel's mean is the score of a box. */
function singlePictureModel(
  sizes: readonly [number | string, number | string],
  more: (build: GraphBuilder) => void = () => {},
) {
  const build = new GraphBuilder();
  const image = build.input('image', 'float32', [3, ...sizes]);
  more(build);
  const means = build.add('ReduceMean', [image, build.ints([2], [1, 2])], { keepdims: { int: 0 } });
  build.output(
    'boxes',
    build.floats(
      [3, 4],
      Array.from({ length: 12 }, (_, k) => 3 * k),
    ),
    'float32',
    ['n', 4],
  );
  build.output('labels', build.ints([3], [1, 2, 3]), 'int64', ['n']);
  build.output('scores', means, 'float32', ['n']);
  return build.build({ graphName: 'g', producer: 'pytorch', opset: 18 });
}

describe('chosen boxes, labels and scores', () => {
  it.each([[[64, 96] as const], [['height', 'width'] as const]])(
    'takes one picture of %j without a batch',
    async (sizes) => {
      const { model, added } = fitModel(singlePictureModel(sizes), { inputSize: size });
      expect(added.join('; ')).toMatch(/input without a batch/);
      const data = Float32Array.from({ length: 3 * 64 * 96 }, (_, k) => [0.5, 0.25, 0.75][Math.floor(k / (64 * 96))]!);
      const rows = rowsOf(await runFitted(model, { dtype: 'float32', shape: [1, 3, 64, 96], data }));
      expect(rows.map(({ category, score }) => [category, score])).toEqual([
        [2, 0.75],
        [0, 0.5],
        [1, 0.25],
      ]);
    },
  );

  it('asks for the size of a picture without a batch that may have any', () => {
    expect(() => fitModel(singlePictureModel(['height', 'width']))).toThrow(
      expect.objectContaining({ code: 'size-unknown' }),
    );
  });

  it('is not taken for it with several pictures, as torchvision exports a list of them', () => {
    const two = singlePictureModel([64, 96], (build) => build.input('image2', 'float32', [3, 48, 48]));
    expect(() => fitModel(two, { family: 'scored-boxes' })).toThrow(/a further input "image2"/);
  });

  it('says whether class 0 is surely the background', () => {
    const words = (operator: 'Softmax' | 'Sigmoid') => {
      const { boxes, labels, scores } = randomRows(4);
      const model = headModel(size, (build) => {
        build.output('boxes', build.floats([boxes.length, 4], boxes.flat()), 'float32', ['n', 4]);
        build.output('labels', build.ints([labels.length], labels), 'int64', ['n']);
        build.output('scores', build.add(operator, [build.floats([scores.length], scores)]), 'float32', ['n']);
      });
      return fitModel(model).evidence.join(' ');
    };
    expect(words('Softmax')).toMatch(/a softmax makes the scores: class 0 is the background/);
    expect(words('Sigmoid')).toMatch(/class 0 is taken for the background.*choose 0 as the first class/);
  });

  it.each([
    ['torchvision, whose class 0 is the background', torchvisionModel, 1],
    ['MMDetection, whose scores stand behind the corners', detsModel, 0],
  ] as const)('gives the rows of %s', async (_, make, firstClass) => {
    const rows = randomRows(1);
    const { family, model } = fitModel(make(rows));
    expect(family.id).toBe('scored-boxes');
    expectSameRows(rowsOf(await runFitted(model)), plainly(rows, firstClass), size);
  });

  it('gives rows of zeros where nothing is found', async () => {
    const outputs = await runFitted(fitModel(torchvisionModel(randomRows(2, 0))).model);
    expect(outputs['location']!.shape).toEqual([1, 100, 4]);
    expect(rowsOf(outputs)).toEqual([]);
  });

  it('counts classes from 0 where the labels begin with the background', async () => {
    const rows = randomRows(3);
    const labels = ['__background__', 'a', 'b', 'c', 'd', 'e'];
    const { model } = fitModel(torchvisionModel(rows), { labels });
    expectSameRows(rowsOf(await runFitted(model)), plainly(rows, 0), size);
  });

  it.each([
    [
      'labels of another number of rows',
      detsModel(randomRows(4), [
        [1, 12, 5],
        [1, 11],
      ]),
    ],
    [
      'six numbers a row',
      detsModel(randomRows(4), [
        [1, 10, 6],
        [1, 12],
      ]),
    ],
  ])('is not taken for it with %s', (_, source) => {
    expect(() => fitModel(source, { family: 'scored-boxes' })).toThrow(/not boxes, whole-numbered labels and scores/);
  });
});
