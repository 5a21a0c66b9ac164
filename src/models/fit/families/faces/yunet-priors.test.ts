import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../../tests/fit/head-models.ts';
import { softmax } from '../../../../../tests/fit/plain-detections.ts';
import {
  boxesOfOffsets,
  pointsOfOffsets,
  randomRows,
  scoredPlainly,
  squarePriors,
} from '../../../../../tests/fit/plain-priors.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

/** No stride above 8 divides both, so that cells are cut. */
const size = { widthPx: 168, heightPx: 120 };
const levels = [
  { stride: 8, sides: [10, 16, 24] },
  { stride: 16, sides: [32, 48] },
  { stride: 32, sides: [64, 96] },
  { stride: 64, sides: [128, 192, 256] },
];
const priors = squarePriors(size, levels, Math.floor);

function randomHead(seed: number, count = priors.length) {
  const random = randomSource(seed);
  return {
    loc: randomRows(random, count, 14, -2, 2),
    conf: randomRows(random, count, 2, -4, 4).map(([background, face]) => [background! + 4, face!]),
    /** beyond 0 and 1, too */
    iou: randomRows(random, count, 1, -0.2, 1.2),
  };
}

type RandomHead = ReturnType<typeof randomHead>;

function yunetModel(head: RandomHead, { isActivated = false, hasBatch = true, isOpen = false } = {}) {
  return headModel(isOpen ? { widthPx: -1, heightPx: -1 } : size, (build) => {
    for (const name of ['loc', 'conf', 'iou'] as const) {
      const shape = [...(hasBatch ? [1] : []), head[name].length, head[name][0]!.length];
      const raw = build.floats(shape, head[name].flat());
      const isSoftmax = isActivated && name === 'conf';
      const tensor = isSoftmax ? build.add('Softmax', [raw], { axis: { int: shape.length - 1 } }) : raw;
      build.output(name, tensor, 'float32', isOpen ? [1, 'rows', shape[2]!] : shape);
    }
  });
}

function plainly({ loc, conf, iou }: RandomHead) {
  const scores = conf.map((row, k) => [Math.sqrt(softmax(row)[1]! * Math.min(1, Math.max(0, iou[k]![0]!)))]);
  const limits = { ...size, scoreThreshold: 0.05, iouThreshold: 0.3, maxDetections: 100 };
  return scoredPlainly(boxesOfOffsets(priors, loc, [0.1, 0.2]), scores, limits);
}

describe('YuNet of 2021 and 2022', () => {
  it('keeps five key points a prior', async () => {
    const head = randomHead(8);
    const points = pointsOfOffsets(priors, head.loc, 0.1, 4);
    const candidates = boxesOfOffsets(priors, head.loc, [0.1, 0.2]).map((corners, k) => ({
      corners,
      points: points[k]!,
    }));
    expect(expectPoints(await runFitted(fitModel(yunetModel(head)).model), candidates, size)).toBeGreaterThan(5);
  });

  it.each([
    ['logits', {}],
    ['probabilities', { isActivated: true }],
    ['no batch', { isActivated: true, hasBatch: false }],
  ])('gives what its own post-processing gives: %s', async (_, model) => {
    const head = randomHead(1);
    const { family, model: fitted } = fitModel(yunetModel(head, model));
    expect(family.id).toBe('yunet-priors');
    const rows = rowsOf(await runFitted(fitted));
    expect(rows.length).toBeGreaterThan(20);
    expectSameRows(rows, plainly(head), size);
  });

  it('takes the priors of the size that is given with a model of any', async () => {
    const head = randomHead(3);
    const source = yunetModel(head, { isOpen: true });
    expectSameRows(rowsOf(await runFitted(fitModel(source, { inputSize: size }).model)), plainly(head), size);
    expect(() => fitModel(source)).toThrow(expect.objectContaining({ code: 'size-unknown' }));
  });

  it('is not taken for it with a prior too many', () => {
    const source = yunetModel(randomHead(2, priors.length + 1));
    expect(() => fitModel(source, { family: 'yunet-priors' })).toThrow(/are not the \d+ priors of a 168×120 picture/);
  });
});
