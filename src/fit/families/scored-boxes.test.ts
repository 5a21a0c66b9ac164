import { describe, expect, it } from 'vitest';
import { headModel } from '../../../tests/fit/head-models.ts';
import { chosenPlainly } from '../../../tests/fit/plain-detr.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import { fitModel } from '../fit-model.ts';

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

describe('chosen boxes, labels and scores', () => {
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
