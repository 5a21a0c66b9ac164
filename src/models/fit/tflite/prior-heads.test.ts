import { describe, expect, it } from 'vitest';
import { sigmoid, softmax } from '../../../../tests/fit/plain-detections.ts';
import {
  boxesOfOffsets,
  clippedPriors,
  randomRows,
  scoredPlainly,
  shapedPriors,
  squarePriors,
  type PlainPrior,
} from '../../../../tests/fit/plain-priors.ts';
import { tensorflow } from '../../../../tests/fit/published-priors.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../tests/fit/run-fitted.ts';
import { tfliteHead, type TfliteHead } from '../../../../tests/fit/tflite-heads.ts';
import { randomSource } from '../../../../tests/random-frame.ts';
import { fitModel } from '../fit-model.ts';

const square = (sidePx: number) => ({ widthPx: sidePx, heightPx: sidePx });
const limits = { scoreThreshold: 0.05, maxDetections: 100 };

/** Logits and offsets, y first, as TensorFlow writes them; few classes beat the background, where there is one. */
function randomHead(seed: number, count: number, columns: number, background = 0) {
  const random = randomSource(seed);
  const xFirst = randomRows(random, count, 4, -0.6, 0.6);
  const logits = randomRows(random, count, columns, -9, 2).map(([first, ...others]) => [
    first! + background,
    ...others,
  ]);
  return { logits, xFirst, yFirst: xFirst.map(([dx, dy, dw, dh]) => [dy!, dx!, dh!, dw!]) };
}

interface Outputs {
  readonly logits: readonly (readonly number[])[];
  readonly offsets: readonly (readonly number[])[];
  readonly activate?: 'Sigmoid' | 'Softmax';
}

const inOne = (model: TfliteHead, { logits, offsets, activate }: Outputs) =>
  tfliteHead(model, ({ build, layer }) => {
    const scores = layer([1, logits.length, logits[0]!.length], logits.flat());
    return {
      'StatefulPartitionedCall:1': activate ? build.add(activate, [scores], { axis: { int: 2 } }) : scores,
      'StatefulPartitionedCall:0': layer([1, offsets.length, 4], offsets.flat()),
    };
  });

describe('SSD as offsets to priors, of TensorFlow Lite', () => {
  it("decodes TensorFlow's own priors, y first, with a sigmoid", async () => {
    const head = randomHead(3, tensorflow.length, 3);
    const source = inOne(square(300), { ...head, offsets: head.yFirst, activate: 'Sigmoid' });
    const { model, family, options } = fitModel(source);
    expect([family.id, options['priors'], options['activation']]).toEqual(['ssd-raw', 'tensorflow', 'none']);
    const scores = head.logits.map((row) => row.slice(1).map(sigmoid));
    const boxes = boxesOfOffsets(tensorflow, head.xFirst, [0.1, 0.2]);
    const wanted = scoredPlainly(boxes, scores, { ...square(300), ...limits, iouThreshold: 0.6 });
    expectSameRows(rowsOf(await runFitted(model)), wanted, square(300));
  });

  it("makes probabilities of UltraFace's logits", async () => {
    const sides = [[10, 16, 24], [32, 48], [64, 96], [128, 192, 256]]; // prettier-ignore
    const grids = sides.map((of, level) => ({ stride: 8 * 2 ** level, sides: of }));
    const priors = clippedPriors(squarePriors(square(64), grids, Math.ceil), square(64));
    const head = randomHead(5, priors.length, 2, 4);
    const { model, family, options } = fitModel(inOne(square(64), { ...head, offsets: head.xFirst }));
    expect([family.id, options['priors'], options['activation']]).toEqual(['ssd-raw', 'ultraface', 'softmax']);
    const scores = head.logits.map((row) => softmax(row).slice(1));
    const boxes = boxesOfOffsets(priors, head.xFirst, [0.1, 0.2]);
    const wanted = scoredPlainly(boxes, scores, { ...square(64), ...limits, iouThreshold: 0.3 });
    expect(wanted.length).toBeGreaterThan(5);
    expectSameRows(rowsOf(await runFitted(model)), wanted, square(64));
  });
});

/** Nine anchors a cell of the grids of strides 8 to 128. */
function anchorsOf(sidePx: number): PlainPrior[] {
  return shapedPriors(
    [8, 16, 32, 64, 128].map((stride) => ({
      cells: Math.ceil(sidePx / stride),
      stepPx: stride,
      shapes: [0, 1 / 3, 2 / 3].flatMap((octave) =>
        [
          [1, 1],
          [1.4, 0.7],
          [0.7, 1.4],
        ].map(([width, height]) => {
          const side = 4 * stride * 2 ** octave;
          return [side * width!, side * height!] as const;
        }),
      ),
    })),
  );
}

describe('EfficientDet as offsets to anchors, of TensorFlow Lite', () => {
  const size = square(128);
  const anchors = anchorsOf(128);
  const head = randomHead(7, anchors.length, 3);
  const wanted = scoredPlainly(
    boxesOfOffsets(anchors, head.xFirst, [1, 1]),
    head.logits.map((row) => row.map(sigmoid)),
    { ...size, ...limits, iouThreshold: 0.5 },
  );

  it.each([
    ['logits', undefined],
    ['probabilities', 'Sigmoid'],
  ] as const)('decodes a tensor of each, as %s', async (_, activate) => {
    const source = inOne(size, { ...head, offsets: head.yFirst, ...(activate && { activate }) });
    const { model, family } = fitModel(source);
    expect(family.id).toBe('efficientdet');
    expectSameRows(rowsOf(await runFitted(model)), wanted, size);
  });

  it('decodes a tensor a grid', async () => {
    const source = tfliteHead(size, ({ layer }) => {
      const outputs: Record<string, string> = {};
      for (const [name, rows] of [
        ['class', head.logits],
        ['box', head.yFirst],
      ] as const) {
        // prettier-ignore
        let from = 0;
        for (const cells of [16, 8, 4, 2, 1]) {
          const values = rows.slice(from, from + 9 * cells * cells);
          from += values.length;
          outputs[`${name}_${cells}`] = layer([1, cells, cells, 9 * rows[0]!.length], values.flat());
        }
      }
      return outputs;
    });
    const { model, family } = fitModel(source);
    expect(family.id).toBe('efficientdet');
    expectSameRows(rowsOf(await runFitted(model)), wanted, size);
  });
});
