import { describe, expect, it } from 'vitest';
import { headModel, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { queriesPlainly } from '../../../../../tests/fit/plain-detr.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };

function randomQueries(seed: number, queries: number, classes: number) {
  const random = randomSource(seed);
  const row = (length: number, make: () => number) => Array.from({ length }, () => Math.fround(make()));
  return {
    logits: Array.from({ length: queries }, () => row(classes, () => random() * 8 - 5)),
    boxes: Array.from({ length: queries }, () => row(4, () => 0.1 + random() * 0.4)),
  };
}

type Queries = ReturnType<typeof randomQueries>;

/** [1, rows, columns] by a product, as the last layer of a query's head. */
function product(build: GraphBuilder, rows: readonly (readonly number[])[]): string {
  const shape = [1, rows.length, rows[0]!.length];
  return build.add('MatMul', [build.floats(shape, rows.flat()), identity(build, rows[0]!.length)]);
}

function identity(build: GraphBuilder, n: number): string {
  return build.floats(
    [n, n],
    Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0)),
  );
}

/** How boxes are made: at once, as DETR's; moved from places, as Deformable DETR's; from places that the graph chooses, as RT-DETR's. */
type BoxKind = 'at once' | 'moved' | 'moved from chosen places';

/** Places in the middle of the picture, before a sigmoid: zeros. */
function places(build: GraphBuilder, count: number, kind: Exclude<BoxKind, 'at once'>): string {
  const middles = build.floats([1, count, 4], new Float32Array(4 * count).fill(0.5));
  const logits = build.add('Log', [build.add('Div', [middles, build.add('Sub', [build.floats([], [1]), middles])])]);
  if (kind === 'moved') return logits;
  const scores = build.floats([count, 2], new Float32Array(2 * count));
  const highest = build.add('ReduceMax', [scores, build.ints([1], [1])], { keepdims: { int: 0 } });
  const order = build.addMany('TopK', [highest, build.ints([1], [count])], 2);
  return build.add('Gather', [logits, order[1]!], { axis: { int: 1 } });
}

interface Variant {
  readonly boxKind?: BoxKind;
  readonly alter?: (build: GraphBuilder, logits: string) => string;
  /** whether sizes of the outputs are left open; default: all are stated */
  readonly open?: boolean;
  /** names of logits and boxes */
  readonly names?: readonly [string, string];
  readonly picture?: HeadModel;
}

function detrModel(
  { logits, boxes }: Queries,
  {
    boxKind = 'at once',
    alter = (_, l) => l,
    open = false,
    names = ['logits', 'pred_boxes'],
    picture = {},
  }: Variant = {},
) {
  return headModel({ ...size, ...picture }, (build) => {
    const scores = alter(build, product(build, logits));
    const [batch, rows] = open ? ['batch', 'queries'] : [1, logits.length];
    build.output(names[0], scores, 'float32', [batch!, rows!, logits[0]!.length]);
    const last = product(
      build,
      boxes.map((row) => row.map((share) => Math.log(share / (1 - share)))),
    );
    const moved = boxKind === 'at once' ? last : build.add('Add', [last, places(build, boxes.length, boxKind)]);
    build.output(names[1], build.add('Sigmoid', [moved]), 'float32', [batch!, rows!, 4]);
  });
}

const usual = { scoreThreshold: 0.01, maxDetections: 300 };

describe('DETR', () => {
  it.each([
    ['300 queries of 80 classes', 300, 80, 'moved from chosen places', 'sigmoid'],
    ['300 queries of 4 classes, as many as a box has numbers', 300, 4, 'moved from chosen places', 'sigmoid'],
    ['300 queries of one class', 300, 1, 'moved from chosen places', 'sigmoid'],
    ['100 queries of 3 classes', 100, 3, 'moved', 'sigmoid'],
    ['300 queries of 91 numbers', 300, 91, 'moved', 'sigmoid'],
    ['20 queries of one class', 20, 1, 'at once', 'sigmoid'],
    ['100 queries of 91 numbers and none', 100, 92, 'at once', 'softmax'],
    ['50 queries of 2 classes and none', 50, 3, 'at once', 'softmax'],
    ['300 queries of 5 classes and none', 300, 6, 'at once', 'softmax'],
  ] as const)('gives what its own post-processing gives, with %s', async (_, queries, classes, boxKind, kind) => {
    const source = randomQueries(classes, queries, classes);
    const { family, model, options } = fitModel(detrModel(source, { boxKind }));
    expect([family.id, options['classScores']]).toEqual(['detr', kind]);
    const rows = rowsOf(await runFitted(model));
    expectSameRows(rows, queriesPlainly(source.logits, source.boxes, kind, usual), size);
  });

  it.each(['at once', 'moved'] as const)(
    'tells boxes %s from 4 columns of logits where no name does',
    async (boxKind) => {
      const source = randomQueries(3, 300, 4);
      const { model } = fitModel(detrModel(source, { boxKind, names: ['first', 'second'] }));
      const kind = boxKind === 'at once' ? 'softmax' : 'sigmoid';
      expectSameRows(rowsOf(await runFitted(model)), queriesPlainly(source.logits, source.boxes, kind, usual), size);
    },
  );

  it('tells boxes of exponentials, as RF-DETR has them, from 4 columns of logits before them', () => {
    const source = randomQueries(4, 300, 4);
    const model = headModel(size, (build) => {
      build.output('labels', product(build, source.logits), 'float32', [1, 300, 4]);
      build.output('dets', build.add('Exp', [product(build, source.boxes)]), 'float32', [1, 300, 4]);
    });
    expect(fitModel(model).evidence[0]).toMatch(/^Outputs "labels" .* and "dets"/);
  });

  it.each(['statically', 'dynamically'])('keeps its class for no object once it is quantised %s', (how) => {
    const source = randomQueries(11, 100, 3);
    const model = headModel(size, (build) => {
      const scale = build.floats([], [1 / 16]);
      const inSteps = (tensor: string) => {
        const steps = build.add('QuantizeLinear', [tensor, scale]);
        return build.add('DequantizeLinear', [steps, scale]);
      };
      const scaled = (tensor: string) => {
        const [, found] = build.addMany('DynamicQuantizeLinear', [build.floats([2], [0, 255])], 3) as [string, string];
        return build.add('Mul', [tensor, found]);
      };
      const [sum, made] = how === 'statically' ? [inSteps, inSteps] : [scaled, (tensor: string) => tensor];
      build.output('logits', made(sum(product(build, source.logits))), 'float32', [1, 100, 3]);
      const boxes = made(build.add('Sigmoid', [sum(product(build, source.boxes))]));
      build.output('pred_boxes', boxes, 'float32', [1, 100, 4]);
    });
    expect(fitModel(model).options['classScores']).toBe('softmax');
  });

  it('says what its columns of class scores are taken for, and why', () => {
    const source = randomQueries(1, 100, 3);
    const words = (request = {}, boxKind: BoxKind = 'at once') =>
      fitModel(detrModel(source, { boxKind }), request).evidence.join(' ');
    expect(words()).toMatch(/as in DETR and YOLOS: of the 3 columns .* the last stands for no object.*Classes: 2\./);
    expect(words({}, 'moved')).toMatch(/boxes move from places.*every class has a sigmoid/);
    expect(words({ labels: ['a', 'b', 'c'] })).toMatch(/a label for each of the 3 columns/);
  });

  it.each([
    ['at once', [0.485, 0.456, 0.406]],
    ['moved', [0.485, 0.456, 0.406]],
    ['moved from chosen places', [0, 0, 0]],
  ] as const)('is fed as such models learned, with boxes %s', (boxKind, mean) => {
    expect(fitModel(detrModel(randomQueries(2, 300, 5), { boxKind })).preprocessing.mean).toEqual(mean);
  });

  it.each([1, 7])('is known where the file leaves all but %i columns open', async (classes) => {
    const source = randomQueries(9, 300, classes);
    const boxKind = 'moved from chosen places';
    const picture = { widthPx: -1, heightPx: -1, batch: 'batch' };
    const open = detrModel(source, { boxKind, open: true, picture });
    expect(() => fitModel(open)).toThrow(expect.objectContaining({ code: 'size-unknown' }));
    const { family, model } = fitModel(open, { inputSize: size });
    expect(family.id).toBe('detr');
    expectSameRows(rowsOf(await runFitted(model)), queriesPlainly(source.logits, source.boxes, 'sigmoid', usual), size);
  });

  it('takes the kind of its class scores as an option, and from the labels', async () => {
    const source = randomQueries(5, 300, 6);
    const labels = ['a', 'b', 'c', 'd', 'e'];
    const wanted = queriesPlainly(source.logits, source.boxes, 'softmax', usual);
    for (const request of [{ options: { classScores: 'softmax' } }, { labels }]) {
      const fitted = fitModel(detrModel(source), request);
      expectSameRows(rowsOf(await runFitted(fitted.model)), wanted, size);
    }
    expect(fitModel(detrModel(source), { labels }).labels).toEqual(labels);
  });

  it('fills a mask of the picture with ones', async () => {
    const source = randomQueries(6, 100, 3);
    const masked = headModel(size, (build) => {
      const mask = build.add('Cast', [build.input('pixel_mask', 'int64', ['batch', 'height', 'width'])], {
        to: { int: 1 },
      });
      const isShown = build.add('ReduceMean', [mask], { keepdims: { int: 0 } });
      build.output('logits', build.add('Mul', [product(build, source.logits), isShown]), 'float32', [1, 100, 3]);
      const logits = source.boxes.map((row) => row.map((share) => Math.log(share / (1 - share))));
      build.output('pred_boxes', build.add('Sigmoid', [product(build, logits)]), 'float32', [1, 100, 4]);
    });
    const rows = rowsOf(await runFitted(fitModel(masked).model));
    expectSameRows(rows, queriesPlainly(source.logits, source.boxes, 'softmax', usual), size);
  });

  it.each([
    [
      'scores that a convolution makes',
      (build, logits) => {
        const asPicture = build.add('Reshape', [logits, build.ints([4], [1, 300, 3, 1])]);
        const kernel = build.floats(
          [300, 300, 1, 1],
          Array.from({ length: 90_000 }, (_, k) => (k % 301 === 0 ? 1 : 0)),
        );
        return build.add('Reshape', [build.add('Conv', [asPicture, kernel]), build.ints([3], [1, 300, 3])]);
      },
      /from a grid of cells/,
    ],
    ['probabilities', (build, logits) => build.add('Softmax', [logits]), /probabilities already/],
  ] as const satisfies readonly [string, (build: GraphBuilder, logits: string) => string, RegExp][])(
    'is not taken for it with %s',
    (_, alter, why) => {
      expect(() => fitModel(detrModel(randomQueries(7, 300, 3), { alter }), { family: 'detr' })).toThrow(
        expect.objectContaining({ code: 'not-this-family', message: expect.stringMatching(why) }),
      );
    },
  );

  it('is not taken for it with more rows than queries', () => {
    expect(() => fitModel(detrModel(randomQueries(8, 1001, 3)), { family: 'detr' })).toThrow(
      /1001 rows are more than queries/,
    );
  });
});
