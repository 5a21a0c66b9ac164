import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { bestClass, suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const cells = 96 + 24 + 6;
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.7, maxDetections: 100 };
const stretch = { letterbox: 'stretch' };

function randomHead(seed: number, classCount: number) {
  const random = randomSource(seed);
  return Array.from({ length: cells }, () => {
    const [x, y] = [80 * random(), 50 * random()];
    const corners = [x, y, x + 4 + 30 * random(), y + 4 + 30 * random()].map(Math.fround);
    return {
      corners: corners as [number, number, number, number],
      scores: Array.from({ length: classCount }, () => 0.01 + 0.97 * random()),
    };
  });
}

type Rows = ReturnType<typeof randomHead>;

interface Variant {
  readonly turned?: boolean;
  readonly factor?: boolean;
  readonly activate?: boolean;
  readonly decode?: boolean;
  readonly count?: number;
}

const twice = (build: GraphBuilder, pair: string) => build.add('Concat', [pair, pair], { axis: { int: 1 } });

function model(
  rows: Rows,
  { turned = false, factor = false, activate = true, decode = true, count = cells }: Variant = {},
) {
  const classCount = rows[0]!.scores.length;
  const taken = Array.from({ length: count }, (_, at) => rows[at % cells]!);
  return headModel(size, (build) => {
    const strides = build.floats([], [8]);
    const inStrides = build.floats(
      [1, count, 4],
      taken.flatMap(({ corners }) => corners.map((value) => value / (decode ? 8 : 1))),
    );
    const pixels = decode ? build.add('Mul', [inStrides, strides]) : build.add('Identity', [inStrides]);
    const boxes = factor
      ? build.add('Div', [pixels, twice(build, build.input('scale_factor', 'float32', [1, 2]))])
      : pixels;
    const shape = turned ? [1, classCount, count] : [1, count, classCount];
    const values = turned
      ? Array.from({ length: classCount }, (_, k) => taken.map(({ scores }) => scores[k]!)).flat()
      : taken.flatMap(({ scores }) => scores);
    const logits = build.floats(shape, values.map(logit));
    build.output('boxes', boxes, 'float32', [1, count, 4]);
    build.output(
      'scores',
      activate ? build.add('Sigmoid', [logits]) : build.add('Identity', [logits]),
      'float32',
      shape,
    );
  });
}

const plainly = (rows: Rows) =>
  suppressPlainly(
    rows.map(({ corners, scores }) => ({ corners, ...bestClass(scores) })),
    limits,
  );

describe('boxes and scores of a grid', () => {
  it.each<[string, number, Variant]>([
    ['YOLO-NAS, scores in rows', 5, {}],
    ['PP-YOLOE, scores in columns and a scale of the picture', 5, { turned: true, factor: true }],
    ['one class', 1, {}],
  ])('gives what its own post-processing gives: %s', async (_, classCount, variant) => {
    const rows = randomHead(classCount, classCount);
    const options = variant.factor ? {} : stretch;
    const fitted = fitModel(model(rows, variant), { options });
    expect(fitted.family.id).toBe('scored-grid');
    const found = rowsOf(await runFitted(fitted.model));
    expect(found.length).toBeGreaterThan(20);
    expectSameRows(found, plainly(rows), size);
  });

  it.each<[string, Variant]>([
    ['a candidate too many', { count: cells + 1 }],
    ['no sigmoid', { activate: false }],
    ['boxes that nothing decodes', { decode: false }],
  ])('is not taken for it with %s', (_, variant) => {
    expect(() => fitModel(model(randomHead(2, 3), variant))).toThrow(expect.objectContaining({ code: 'unrecognised' }));
  });
});
