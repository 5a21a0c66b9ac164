import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../tests/fit/head-models.ts';
import { rowsOf, runFitted } from '../../../../tests/fit/run-fitted.ts';
import { tfliteHead } from '../../../../tests/fit/tflite-heads.ts';
import { fitModel } from '../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const [width, height] = [12, 8];
const background = 4;

/** Scores by cell, of "cup" and "dog": two cells that touch, one further on, and two classes in cells that touch. */
const seen: Readonly<Record<string, readonly [number, number]>> = {
  '2,2': [8, 0],
  '3,3': [9, 0],
  '5,3': [7, 0],
  '10,6': [0, 8],
  '11,6': [7, 0],
};
const logitsAt = (x: number, y: number) => [background, ...(seen[`${x},${y}`] ?? [-2, -2])];
const cells = Array.from({ length: width * height }, (_, cell) => logitsAt(cell % width, Math.floor(cell / width)));
const probability = (logit: number, other: number) => {
  const [none, one, two] = [background, logit, other].map(Math.exp) as [number, number, number];
  return one / (none + one + two);
};

const onnx = (activation: 'Softmax' | 'Sigmoid' = 'Softmax') =>
  headModel(size, (build) => {
    const byClass = [0, 1, 2].flatMap((k) => cells.map((logits) => logits[k]!));
    const logits = build.floats([1, 3, height, width], byClass);
    const scores =
      activation === 'Softmax' ? build.add('Softmax', [logits], { axis: { int: 1 } }) : build.add('Sigmoid', [logits]);
    build.output('output', scores, 'float32', [1, 3, height, width]);
  });
const tflite = (isQuantised: boolean) =>
  tfliteHead(
    { ...size, ...(isQuantised && { input: 'int8', inputQuantization: { scale: 1 / 255, zeroPoint: -128 } }) },
    ({ build, layer, quantised }) => {
      const scores = build.add('Softmax', [layer([1, height, width, 3], cells.flat())], { axis: { int: 3 } });
      return { Identity: isQuantised ? quantised(scores, 'int8', 1 / 256, -128) : scores };
    },
  );

const boxOf = (x: number, y: number) => [y / height, x / width, (y + 1) / height, (x + 1) / width];
const expected = [
  { box: boxOf(3, 3), category: 0, score: probability(9, 0) },
  { box: boxOf(10, 6), category: 1, score: probability(8, 0) },
  { box: boxOf(5, 3), category: 0, score: probability(7, 0) },
  { box: boxOf(11, 6), category: 0, score: probability(7, 0) },
];

describe('FOMO', () => {
  it.each([
    ['ONNX', () => onnx(), 1e-6],
    ['TensorFlow Lite, float32', () => tflite(false), 1e-5],
    ['TensorFlow Lite, int8', () => tflite(true), 1 / 256],
  ])('gives a box for the best of cells that touch, by class: %s', async (_, model, tolerance) => {
    const fitted = fitModel(model());
    expect(fitted.family.id).toBe('fomo');
    expect(fitted.evidence.join(' ')).toContain(
      'cells of 8×8 pixels, with a softmax over the background and 2 classes',
    );
    const rows = rowsOf(await runFitted(fitted.model));
    expect(rows.map(({ category }) => category).toSorted()).toEqual([0, 0, 0, 1]);
    for (const { box, category, score } of expected) {
      const found = rows.find(
        (row) => row.category === category && Math.abs(row.box[0]! - box[0]!) + Math.abs(row.box[1]! - box[1]!) < 0.01,
      );
      expect(Math.abs(found!.score - score)).toBeLessThanOrEqual(tolerance);
      box.forEach((side, k) => expect(found!.box[k]).toBeCloseTo(side, 5));
    }
  });

  it('is fed 0 to 1 as its steps say', () => {
    const { preprocessing } = fitModel(tflite(true));
    expect(preprocessing).toMatchObject({ mean: [0, 0, 0], stdDev: [1, 1, 1] });
  });

  it('is not taken for it without its softmax', () => {
    expect(() => fitModel(onnx('Sigmoid'))).toThrow(/Not FOMO \(Edge Impulse\): no softmax/);
  });
});
