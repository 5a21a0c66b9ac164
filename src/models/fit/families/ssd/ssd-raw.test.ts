import { describe, expect, it } from 'vitest';
import { headModel, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { sigmoid, softmax } from '../../../../../tests/fit/plain-detections.ts';
import {
  boxesOfOffsets,
  pointsOfOffsets,
  clippedPriors,
  randomRows,
  scoredPlainly,
  shapedPriors,
  squarePriors,
  type PlainPrior,
} from '../../../../../tests/fit/plain-priors.ts';
import { mobileCells, shapes, tensorflow, three } from '../../../../../tests/fit/published-priors.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { OptionValues } from '../../structure/options.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 104, heightPx: 60 };
const square = (sidePx: number) => ({ widthPx: sidePx, heightPx: sidePx });

const retina = squarePriors(
  size,
  [
    { stride: 8, sides: [16, 32] },
    { stride: 16, sides: [64, 128] },
    { stride: 32, sides: [256, 512] },
  ],
  Math.ceil,
);
const small = squarePriors(
  size,
  [
    { stride: 8, sides: [10, 20] },
    { stride: 16, sides: [32, 64] },
    { stride: 32, sides: [128, 256] },
  ],
  Math.ceil,
);
const slim = squarePriors(
  size,
  [
    { stride: 8, sides: [10, 16, 24] },
    { stride: 16, sides: [32, 48] },
    { stride: 32, sides: [64, 96] },
    { stride: 64, sides: [128, 192, 256] },
  ],
  Math.ceil,
);
const ultra = clippedPriors(slim, size);

function ssd300(sizes: readonly number[]): PlainPrior[] {
  const ratios = [[2], [2, 3], [2, 3], [2, 3], [2], [2]];
  return shapedPriors(
    [38, 19, 10, 5, 3, 1].map((cells, k) => ({
      cells,
      stepPx: [8, 16, 32, 64, 100, 300][k]!,
      shapes: shapes(sizes[k]!, sizes[k + 1]!, ratios[k]!),
    })),
  );
}

const lite = clippedPriors(
  shapedPriors(
    [20, 10, 5, 3, 2, 1].map((count, k) => {
      const sizes = [64, 112, 160, 208, 256, 304, 320];
      return { cells: count, stepPx: 320 / count, shapes: shapes(sizes[k]!, sizes[k + 1]!, [2, 3]) };
    }),
  ),
  square(320),
);
const pytorchMobile = clippedPriors(
  shapedPriors(
    mobileCells.map((count, k) => ({
      cells: count,
      stepPx: [16, 32, 64, 100, 150, 300][k]!,
      shapes: shapes(60 + 45 * k, 105 + 45 * k, [2, 3]),
    })),
  ),
  square(300),
);
const caffe = shapedPriors(
  mobileCells.map((count, k) => ({
    cells: count,
    stepPx: 300 / count,
    shapes: k === 0 ? three(60) : shapes(60 + 45 * k, Math.min(105 + 45 * k, 300), [2, 3]),
  })),
);

function randomHead(seed: number, count: number, columns: number) {
  const random = randomSource(seed);
  return {
    offsets: randomRows(random, count, 4, -2, 2),
    /** a background that mostly wins, so that suppression has little to do */
    logits: randomRows(random, count, columns, -6, 2).map(([first, ...others]) => [first! + 4, ...others]),
  };
}

type RandomHead = ReturnType<typeof randomHead>;

interface RawModel extends HeadModel {
  readonly activate?: 'Softmax' | 'Sigmoid';
  readonly points?: boolean;
  /** the four corners of a plate instead of five points of a face */
  readonly corners?: boolean;
  readonly noBatch?: boolean;
  readonly decoded?: boolean;
  readonly dynamicRows?: boolean;
}

function rawModel(
  { offsets, logits }: RandomHead,
  { activate, points, corners, noBatch, decoded, dynamicRows, ...model }: RawModel,
) {
  return headModel(model, (build) => {
    const shape = (columns: number) => [...(noBatch ? [] : [1]), dynamicRows ? 'rows' : offsets.length, columns];
    const given = (tensor: string, columns: number) =>
      noBatch ? build.add('Reshape', [tensor, build.ints([2], [offsets.length, columns])]) : tensor;
    const table = (rows: readonly (readonly number[])[]) =>
      build.floats([1, rows.length, rows[0]!.length], rows.flat());
    const raw = table(logits);
    const scores = activate ? build.add(activate, [raw], activate === 'Softmax' ? { axis: { int: 2 } } : {}) : raw;
    build.output('conf', given(scores, logits[0]!.length), 'float32', shape(logits[0]!.length));
    const boxes = table(offsets);
    build.output('loc', given(decoded ? build.add('Exp', [boxes]) : boxes, 4), 'float32', shape(4));
    if (corners) build.output('landms', given(table(offsets.map((row) => [...row, ...row])), 8), 'float32', shape(8));
    if (points) build.output('landms', table(offsets.map((row) => [...row, ...row, 0, 0])), 'float32', shape(10));
  });
}

function plainly(
  priors: readonly PlainPrior[],
  head: RandomHead,
  limits: Parameters<typeof scoredPlainly>[2],
  probabilities = softmax,
) {
  return scoredPlainly(
    boxesOfOffsets(priors, head.offsets, [0.1, 0.2]),
    head.logits.map((row) => probabilities(row).slice(1)),
    limits,
  );
}

const usual = { scoreThreshold: 0.05, maxDetections: 100 };

describe('SSD as offsets to priors', () => {
  it('keeps the five key points of RetinaFace', async () => {
    const head = randomHead(8, retina.length, 2);
    const options = { letterbox: 'stretch' };
    const outputs = await runFitted(fitModel(rawModel(head, { ...size, points: true }), { options }).model);
    const landmarks = head.offsets.map((row) => [...row, ...row, 0, 0]);
    const points = pointsOfOffsets(retina, landmarks, 0.1, 0);
    const candidates = boxesOfOffsets(retina, head.offsets, [0.1, 0.2]).map((corners, k) => ({
      corners,
      points: points[k]!,
    }));
    expect(expectPoints(outputs, candidates, size)).toBeGreaterThan(5);
  });

  it.each([
    ['of four grids of faces', { ...size, activate: 'Softmax' }],
    ['without a batch, as of plates', { ...size, activate: 'Softmax', noBatch: true }],
  ] as [string, RawModel][])('keeps the four corner points of RetinaFace %s', async (_, model) => {
    const head = randomHead(9, retina.length, 2);
    const fitted = fitModel(rawModel(head, { ...model, corners: true }), { options: { letterbox: 'stretch' } });
    expect([fitted.family.id, fitted.options['activation']]).toEqual(['ssd-raw', 'none']);
    expect(fitted.evidence.join(' ')).toMatch(/"landms" has four key points a row/);
    const outputs = await runFitted(fitted.model);
    expectSameRows(rowsOf(outputs), plainly(retina, head, { ...size, ...usual, iouThreshold: 0.4 }), size);
    const [name] = Object.keys(outputs).filter((one) => !['location', 'category', 'score'].includes(one));
    expect(outputs[name!]!.shape.at(-1)! * outputs[name!]!.shape.at(-2)!).toBe(4 * 3);
  });

  it.each([
    ['RetinaFace of 1 MB', small, 0.4, { ...size, points: true }, { letterbox: 'stretch', priors: 'retinaface-small' }],
    ['RetinaFace of four grids', slim, 0.4, { ...size, points: true }, { letterbox: 'stretch' }],
    ['RetinaFace', retina, 0.4, { ...size, points: true, activate: 'Softmax' }, { letterbox: 'stretch' }],
    ['UltraFace', ultra, 0.3, { ...size, activate: 'Softmax' }, {}],
    ['UltraFace in opset 9', ultra, 0.3, { ...size, activate: 'Softmax', versions: { opset: 9, irVersion: 4 } }, {}],
    [
      "torchvision's SSD300",
      clippedPriors(ssd300([21, 45, 99, 153, 207, 261, 315]), square(300)),
      0.45,
      square(300),
      {},
    ],
    ["Caffe's SSD300", ssd300([30, 60, 111, 162, 213, 264, 315]), 0.45, square(300), { priors: 'ssd300-voc' }],
    ["torchvision's SSDLite320", lite, 0.55, square(320), {}],
    ['pytorch-ssd', pytorchMobile, 0.45, square(300), {}],
    ["Caffe's SSD of MobileNet", caffe, 0.45, square(300), {}],
  ] as [string, PlainPrior[], number, RawModel, OptionValues][])(
    'gives what its own post-processing gives: %s',
    async (_, priors, iouThreshold, model, options) => {
      const head = randomHead(priors.length, priors.length, 3);
      const fitted = fitModel(rawModel(head, model), { options: { ...options, iouThreshold } });
      expect(fitted.family.id).toBe('ssd-raw');
      const limits = { widthPx: model.widthPx!, heightPx: model.heightPx!, ...usual, iouThreshold };
      const rows = rowsOf(await runFitted(fitted.model));
      expect(rows.length).toBeGreaterThan(20);
      expectSameRows(rows, plainly(priors, head, limits), limits);
    },
    30_000,
  );

  it('takes offsets with y first, and a sigmoid, where channels stand last', async () => {
    const head = randomHead(5, tensorflow.length, 3);
    const swapped = { ...head, offsets: head.offsets.map(([dx, dy, dw, dh]) => [dy!, dx!, dh!, dw!]) };
    const { model, options } = fitModel(rawModel(swapped, { ...square(300), layout: 'nhwc', activate: 'Sigmoid' }));
    expect(options).toMatchObject({ priors: 'tensorflow', activation: 'none', iouThreshold: 0.6 });
    const limits = { ...square(300), ...usual, iouThreshold: 0.6 };
    const sigmoids = (row: readonly number[]) => row.map(sigmoid);
    expectSameRows(rowsOf(await runFitted(model)), plainly(tensorflow, head, limits, sigmoids), limits);
  });

  it('has the first priors that TensorFlow publishes', () => {
    const corners = tensorflow.slice(0, 3).map(([x, y, w, h]) => [y - h / 2, x - w / 2, y + h / 2, x + w / 2]);
    const published = [
      [-0.02368421, -0.02368421, 0.07631579, 0.07631579],
      [-0.04439489, -0.11510557, 0.09702647, 0.16773716],
      [-0.11510557, -0.04439489, 0.16773716, 0.09702647],
    ];
    corners.flat().forEach((value, k) => expect(value / 300).toBeCloseTo(published.flat()[k]!, 6));
  });

  it('takes the priors of faces where the file does not say how many rows there are', async () => {
    const head = randomHead(6, retina.length, 2);
    const source = rawModel(head, { ...size, points: true, activate: 'Softmax', dynamicRows: true });
    const limits = { ...size, ...usual, iouThreshold: 0.4 };
    const { model } = fitModel(source, { options: { letterbox: 'stretch' } });
    expectSameRows(rowsOf(await runFitted(model)), plainly(retina, head, limits), limits);
  });

  it('feeds a model as the chosen priors are fed', () => {
    const source = rawModel(randomHead(7, 1917, 3), square(300));
    expect(fitModel(source).preprocessing.colour).toBe('bgr');
    expect(fitModel(source, { options: { priors: 'tensorflow' } }).preprocessing.colour).toBe('rgb');
  });

  it.each([
    ['boxes that are decoded', { ...size, decoded: true }, retina.length, /so they are not offsets/],
    ['a prior too many', size, retina.length + 1, /no published set of priors for a 104×60/],
    ['rows that are not said, and no faces', { ...size, dynamicRows: true }, retina.length, /no published set/],
  ] as [string, RawModel, number, RegExp][])('is not taken for it with %s', (_, model, rows, why) => {
    expect(() => fitModel(rawModel(randomHead(8, rows, 2), model), { family: 'ssd-raw' })).toThrow(
      expect.objectContaining({ code: 'not-this-family', message: expect.stringMatching(why) }),
    );
  });
});
