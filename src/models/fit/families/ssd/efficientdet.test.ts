import { describe, expect, it } from 'vitest';
import { headModel, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { sigmoid } from '../../../../../tests/fit/plain-detections.ts';
import { boxesOfOffsets, randomRows, scoredPlainly, type PlainPrior } from '../../../../../tests/fit/plain-priors.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

const strides = [8, 16, 32, 64, 128];
const size = { widthPx: 256, heightPx: 128 };
const stretch = { letterbox: 'stretch' };

function anchorsOf({ widthPx, heightPx }: typeof size, scale: number): PlainPrior[] {
  const anchors: PlainPrior[] = [];
  for (const stride of strides)
    for (let row = 0; row < Math.ceil(heightPx / stride); row++)
      for (let column = 0; column < Math.ceil(widthPx / stride); column++)
        for (const octave of [0, 1, 2])
          for (const [width, height] of [
            [1, 1],
            [1.4, 0.7],
            [0.7, 1.4],
          ] as const) {
            // prettier-ignore
            const side = scale * stride * 2 ** (octave / 3);
            anchors.push([(column + 0.5) * stride, (row + 0.5) * stride, side * width, side * height]);
          }
  return anchors;
}

function randomHead(seed: number, count: number, classCount = 3) {
  const random = randomSource(seed);
  return { offsets: randomRows(random, count, 4, -0.6, 0.6), logits: randomRows(random, count, classCount, -9, 2) };
}

type RandomHead = ReturnType<typeof randomHead>;

interface Model extends HeadModel {
  readonly activate?: boolean;
  /** the anchors and a map of features come out, too */
  readonly beside?: boolean;
  readonly decoded?: boolean;
}

/** Rows as an image that a convolution of one cell leaves as it is: structure looks for layers with weights. */
function weighted(rows: readonly (readonly number[])[], columns: number) {
  const identity = Array.from({ length: columns * columns }, (_, k) => (k % (columns + 1) === 0 ? 1 : 0));
  return { values: rows.flat(), identity };
}

function inOne({ offsets, logits }: RandomHead, { activate, beside, decoded, ...model }: Model = {}) {
  return headModel({ ...size, ...model }, (build) => {
    const table = (rows: readonly (readonly number[])[]) => {
      const columns = rows[0]!.length;
      const { values, identity } = weighted(rows, columns);
      return build.add('MatMul', [
        build.floats([1, rows.length, columns], values),
        build.floats([columns, columns], identity),
      ]);
    };
    const raw = table(offsets);
    if (beside)
      build.output('features', build.floats([1, 8, 16, 32], new Float32Array(4096)), 'float32', [1, 8, 16, 32]);
    build.output('regression', decoded ? build.add('Exp', [raw]) : raw, 'float32', [1, offsets.length, 4]);
    const scores = activate ? build.add('Sigmoid', [table(logits)]) : table(logits);
    build.output('classification', scores, 'float32', [1, logits.length, logits[0]!.length]);
    if (beside) {
      const anchors = build.floats([1, offsets.length, 4], new Float32Array(4 * offsets.length));
      build.output('anchors', anchors, 'float32', [1, offsets.length, 4]);
    }
  });
}

/** A tensor a grid, as convolutions leave them: channels first or last. */
function inLevels({ offsets, logits }: RandomHead, isLast: boolean) {
  return headModel(size, (build) => {
    for (const [name, rows] of [
      ['box', offsets],
      ['cls', logits],
    ] as const) {
      // prettier-ignore
      let from = 0;
      for (const stride of strides) {
        const [height, width] = [Math.ceil(size.heightPx / stride), Math.ceil(size.widthPx / stride)];
        const count = 9 * height * width;
        const channels = 9 * rows[0]!.length;
        const last = build.floats([1, height, width, channels], rows.slice(from, from + count).flat());
        from += count;
        const tensor = isLast ? last : build.add('Transpose', [last], { perm: { ints: [0, 3, 1, 2] } });
        const shape = isLast ? [1, height, width, channels] : [1, channels, height, width];
        build.output(`${name}_${stride}`, tensor, 'float32', shape);
      }
    }
  });
}

function plainly({ offsets, logits }: RandomHead, scale: number, of = size) {
  const xFirst = offsets.map(([dy, dx, dh, dw]) => [dx!, dy!, dw!, dh!]);
  const limits = { ...of, scoreThreshold: 0.05, iouThreshold: 0.5, maxDetections: 100 };
  const scores = logits.map((row) => row.map(sigmoid));
  return scoredPlainly(boxesOfOffsets(anchorsOf(of, scale), xFirst, [1, 1]), scores, limits);
}

const count = anchorsOf(size, 4).length;

describe('EfficientDet', () => {
  it.each([
    ['one tensor each', (head: RandomHead) => inOne(head)],
    ['probabilities, features and anchors beside', (head: RandomHead) => inOne(head, { activate: true, beside: true })],
    ['a tensor a grid', (head: RandomHead) => inLevels(head, false)],
    ['a tensor a grid, channels last', (head: RandomHead) => inLevels(head, true)],
  ])('gives what its own post-processing gives: %s', async (_, source) => {
    const head = randomHead(1, count);
    const { family, model } = fitModel(source(head), { options: stretch });
    expect(family.id).toBe('efficientdet');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(20);
    expectSameRows(rows, plainly(head, 4), size);
  });

  it('takes the smaller anchors of the Lite models, by their size or as an option', async () => {
    const lite = { widthPx: 320, heightPx: 320 };
    const ofLite = randomHead(2, anchorsOf(lite, 3).length, 1);
    const { model, preprocessing } = fitModel(inOne(ofLite, lite), { options: stretch });
    expect(preprocessing.stdDev[0]).toBeCloseTo(128 / 255);
    expectSameRows(rowsOf(await runFitted(model)), plainly(ofLite, 3, lite), lite);
    const head = randomHead(3, count);
    const asked = fitModel(inOne(head), { options: { ...stretch, anchorScale: 2.5 } });
    expectSameRows(rowsOf(await runFitted(asked.model)), plainly(head, 2.5), size);
  });

  it.each([
    ['an anchor too many', inOne(randomHead(4, count + 1))],
    ['decoded boxes', inOne(randomHead(4, count), { decoded: true })],
  ])('is not taken for it with %s', (_, source) => {
    expect(() => fitModel(source, { family: 'efficientdet' })).toThrow(/not class scores and offsets of nine anchors/);
  });
});
