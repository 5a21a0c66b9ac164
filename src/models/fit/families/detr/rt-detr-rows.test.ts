import { describe, expect, it } from 'vitest';
import { headModel, logit, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { chosenPlainly } from '../../../../../tests/fit/plain-detr.ts';
import { aroundCentre, bestClass } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const queries = 300;

interface Queries {
  /** [queries] centre x, centre y, width, height as shares of the picture */
  readonly boxes: readonly (readonly number[])[];
  /** [queries][classes], 0..1 */
  readonly scores: readonly (readonly number[])[];
}

function randomQueries(seed: number, classCount: number): Queries {
  const random = randomSource(seed);
  const rows = (length: number, make: () => number) =>
    Array.from({ length: queries }, () => Array.from({ length }, () => Math.fround(make())));
  return { boxes: rows(4, () => 0.1 + random() * 0.4), scores: rows(classCount, () => 0.001 + random() * 0.9) };
}

/** [1, rows, columns] by a product, as the last layer of a query's head. */
function product(build: GraphBuilder, rows: readonly (readonly number[])[]): string {
  const columns = rows[0]!.length;
  const one = Array.from({ length: columns * columns }, (_, k) => (k % (columns + 1) === 0 ? 1 : 0));
  const given = build.floats([1, rows.length, columns], rows.flat());
  return build.add('MatMul', [given, build.floats([columns, columns], one)]);
}

/**
 * Boxes move away from the places that the encoder's best rows name, and a sigmoid makes shares of them. As in the real ones, a size of
 * the backbone's map, which convolutions make, shapes these places.
 */
function decoderHead(
  build: GraphBuilder,
  image: string,
  { boxes, scores }: Queries,
  alter = (sum: string): string => sum,
) {
  const best = build.addMany(
    'TopK',
    [
      build.floats(
        [queries],
        scores.map((row) => row[0]!),
      ),
      build.ints([1], [queries]),
    ],
    2,
    { axis: { int: 0 } },
  );
  const map = build.add('Conv', [image, build.floats([1, 3, 1, 1], [1, 1, 1])]);
  const batch = build.add('Gather', [build.add('Shape', [map]), build.ints([1], [0])]);
  const shape = build.add('Concat', [batch, build.ints([2], [queries, 4])], { axis: { int: 0 } });
  const named = build.add('Gather', [build.floats([queries, 4], new Float32Array(4 * queries)), best[1]!]);
  const places = build.add('Reshape', [named, shape]);
  const sumOf = (rows: readonly (readonly number[])[]) =>
    alter(
      product(
        build,
        rows.map((row) => row.map(logit)),
      ),
    );
  const moved = build.add('Add', [sumOf(boxes), places]);
  return { shares: build.add('Sigmoid', [moved]), every: build.add('Sigmoid', [sumOf(scores)]) };
}

/** In uint8 steps, and numbers again, as quantize_static leaves a tensor. */
function inSteps(build: GraphBuilder, tensor: string, step: number): string {
  const [scale, zero] = [build.floats([], [step]), build.constant('uint8', [], Uint8Array.of(0))];
  return build.add('DequantizeLinear', [build.add('QuantizeLinear', [tensor, scale, zero]), scale, zero]);
}

/** A last layer as quantize_dynamic leaves it: the scale of its numbers comes from what convolutions make. */
function scaled(build: GraphBuilder, image: string, tensor: string): string {
  const map = build.add('Conv', [image, build.floats([1, 3, 1, 1], [1, 1, 1])]);
  const [steps, scale, zero] = build.addMany('DynamicQuantizeLinear', [map], 3) as [string, string, string];
  const none = build.add('ReduceMax', [build.add('Cast', [steps], { to: { int: 1 } })], { keepdims: { int: 0 } });
  const nothing = build.add('Mul', [none, build.add('Sub', [scale, scale])]);
  return build.add('Add', [tensor, build.add('Mul', [nothing, build.add('Cast', [zero], { to: { int: 1 } })])]);
}

/** A model as Ultralytics wrote it: a box and the scores of all classes a query. */
function everyScoreModel(source: Queries, model: HeadModel = {}, stated?: readonly (number | string)[]) {
  return headModel({ ...size, ...model }, (build, image) => {
    const { shares, every } = decoderHead(build, image, source);
    const columns = 4 + source.scores[0]!.length;
    const output = build.add('Concat', [shares, every], { axis: { int: -1 } });
    build.output('output0', output, 'float32', stated ?? [1, queries, columns]);
  });
}

/** A model as Ultralytics writes it now: the best of all classes of all queries, with box, score and class each. */
function bestScoreModel(source: Queries) {
  const classCount = source.scores[0]!.length;
  return headModel(size, (build, image) => {
    const { shares, every } = decoderHead(build, image, source);
    const flat = build.add('Reshape', [every, build.ints([2], [1, -1])]);
    const [score, index] = build.addMany('TopK', [flat, build.ints([1], [queries])], 2, { axis: { int: 1 } });
    const query = build.add('Div', [index!, build.ints([], [classCount])]);
    const label = build.add('Sub', [index!, build.add('Mul', [query, build.ints([], [classCount])])]);
    const last = (tensor: string) => build.add('Unsqueeze', [tensor, build.ints([1], [2])]);
    const all = build.add('Expand', [last(query), build.ints([3], [1, queries, 4])]);
    const boxes = build.add('GatherElements', [shares, all], { axis: { int: 1 } });
    const parts = [boxes, last(score!), build.add('Cast', [last(label)], { to: { int: 1 } })];
    build.output('output0', build.add('Concat', parts, { axis: { int: 2 } }), 'float32', [1, queries, 6]);
  });
}

function plainly(
  rows: readonly { readonly box: readonly number[]; readonly score: number; readonly category: number }[],
) {
  const corners = rows.flatMap(({ box: [x, y, width, height] }) =>
    aroundCentre([x! * size.widthPx, y! * size.heightPx, width! * size.widthPx, height! * size.heightPx]),
  );
  const limits = { ...size, scoreThreshold: 0.01, maxDetections: 300 };
  return chosenPlainly(
    corners,
    rows.map(({ category }) => category),
    rows.map(({ score }) => score),
    limits,
  );
}

describe('RT-DETR in one output', () => {
  it.each([1, 2, 3, 80])(
    'gives the best class of each query, with the scores of all %i classes',
    async (classCount) => {
      const { boxes, scores } = randomQueries(classCount, classCount);
      const { family, model } = fitModel(everyScoreModel({ boxes, scores }));
      expect(family.id).toBe('rt-detr-rows');
      const wanted = plainly(boxes.map((box, query) => ({ box, ...bestClass(scores[query]!) })));
      expectSameRows(rowsOf(await runFitted(model)), wanted, size);
    },
  );

  it('is known where the file leaves batch and queries open', async () => {
    const { boxes, scores } = randomQueries(5, 7);
    const { family, model } = fitModel(everyScoreModel({ boxes, scores }, {}, ['batch', 'queries', 11]));
    expect(family.id).toBe('rt-detr-rows');
    const wanted = plainly(boxes.map((box, query) => ({ box, ...bestClass(scores[query]!) })));
    expectSameRows(rowsOf(await runFitted(model)), wanted, size);
  });

  it.each([
    ['statically', 1 / 200],
    ['dynamically', null],
  ])('is no YOLO once it is quantised %s', (_, step) => {
    const source = randomQueries(20, 2);
    const model = headModel(size, (build, image) => {
      const { shares, every } = decoderHead(
        build,
        image,
        source,
        step === null ? (sum) => scaled(build, image, sum) : undefined,
      );
      const joined = build.add('Concat', [shares, every], { axis: { int: -1 } });
      build.output('output0', step === null ? joined : inSteps(build, joined, step), 'float32', [1, queries, 6]);
    });
    const { family, otherFamilies } = fitModel(model);
    expect([family.id, otherFamilies]).toEqual(['rt-detr-rows', []]);
  });

  it.each([2, 5])('passes on what the graph has chosen among %i classes', async (classCount) => {
    const { boxes, scores } = randomQueries(10 + classCount, classCount);
    const { family, model, otherFamilies } = fitModel(bestScoreModel({ boxes, scores }));
    expect([family.id, otherFamilies]).toEqual(['rt-detr-rows', []]);
    const all = scores
      .flatMap((row, query) => row.map((score, category) => ({ box: boxes[query]!, score, category })))
      .toSorted((a, b) => b.score - a.score);
    expectSameRows(rowsOf(await runFitted(model)), plainly(all.slice(0, queries)), size);
  });
});
