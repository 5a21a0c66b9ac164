import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { aroundCentre, bestClass, sigmoid, suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const [width, height, classCount] = [6, 4, 4];
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.45, maxDetections: 100 };

function randomMaps(seed: number) {
  const random = randomSource(seed);
  return Array.from({ length: width * height }, () => {
    const classes = Array.from({ length: classCount }, () => 0.01 + random() ** 4);
    const sum = classes.reduce((a, b) => a + b);
    return {
      objectness: 0.05 + 0.9 * random(),
      box: [2 * random() - 1, 2 * random() - 1, -3 + 3 * random(), -3 + 3 * random()].map(Math.fround),
      classes: classes.map((value) => value / sum),
    };
  });
}

type Cells = ReturnType<typeof randomMaps>;

function mapModel(cells: Cells, classes: 'Softmax' | 'Sigmoid' = 'Softmax') {
  return headModel(size, (build) => {
    const map = (channels: number, valueOf: (cell: Cells[number], channel: number) => number) =>
      build.floats(
        [1, channels, height, width],
        Array.from({ length: channels }, (_, channel) => cells.map((cell) => valueOf(cell, channel))).flat(),
      );
    const logits = map(classCount, (cell, k) => Math.log(cell.classes[k]!));
    const scores =
      classes === 'Softmax' ? build.add('Softmax', [logits], { axis: { int: 1 } }) : build.add('Sigmoid', [logits]);
    const sure = build.add('Sigmoid', [map(1, ({ objectness }) => logit(objectness))]);
    const output = build.add('Concat', [sure, map(4, ({ box }, k) => box[k]!), scores], { axis: { int: 1 } });
    build.output('758', output, 'float32', [1, 5 + classCount, height, width]);
  });
}

function plainly(cells: Cells) {
  const candidates = cells.map(({ objectness, box, classes }, cell) => {
    const [x, y, w, h] = box as [number, number, number, number];
    const { category, score } = bestClass(classes);
    const centreX = (Math.tanh(x) + (cell % width)) / width;
    const centreY = (Math.tanh(y) + Math.floor(cell / width)) / height;
    return {
      corners: aroundCentre([centreX * 96, centreY * 64, sigmoid(w) * 96, sigmoid(h) * 64]),
      category,
      score: objectness ** 0.6 * score ** 0.4,
    };
  });
  return suppressPlainly(candidates, limits);
}

describe('FastestDet as a map', () => {
  it.each([1, 2])('gives what its own post-processing gives, head %i', async (seed) => {
    const cells = randomMaps(seed);
    const { family, model } = fitModel(mapModel(cells));
    expect(family.id).toBe('fastestdet-map');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(5);
    expectSameRows(rows, plainly(cells), size);
  });

  it('is not taken for it without its softmax', () => {
    expect(() => fitModel(mapModel(randomMaps(1), 'Sigmoid'))).toThrow(/Not FastestDet as trained, a map: no Softmax/);
  });
});
