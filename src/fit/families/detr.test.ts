import { describe, expect, it } from 'vitest';
import { headModel } from '../../../tests/fit/head-models.ts';
import { queriesPlainly } from '../../../tests/fit/plain-detr.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import type { GraphBuilder } from '../../onnx/edit-model.ts';
import { fitModel } from '../fit-model.ts';

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

function detrModel({ logits, boxes }: Queries, alter: (build: GraphBuilder, logits: string) => string = (_, l) => l) {
  return headModel(size, (build) => {
    const scores = alter(build, product(build, logits));
    build.output('logits', scores, 'float32', [1, logits.length, logits[0]!.length]);
    const asShares = build.add('Sigmoid', [
      product(
        build,
        boxes.map((row) => row.map((share) => Math.log(share / (1 - share)))),
      ),
    ]);
    build.output('pred_boxes', asShares, 'float32', [1, boxes.length, 4]);
  });
}

const usual = { scoreThreshold: 0.01, maxDetections: 300 };

describe('DETR', () => {
  it.each([
    ['300 queries of 80 classes', 300, 80, 'sigmoid'],
    ['300 queries of 4 classes, as many as a box has numbers', 300, 4, 'sigmoid'],
    ['300 queries of 91 numbers', 300, 91, 'sigmoid'],
    ['100 queries of 91 numbers and none', 100, 92, 'softmax'],
    ['20 queries of 2 classes', 20, 2, 'sigmoid'],
  ] as const)('gives what its own post-processing gives, with %s', async (_, queries, classes, kind) => {
    const source = randomQueries(classes, queries, classes);
    const { family, model, options } = fitModel(detrModel(source));
    expect([family.id, options['classScores']]).toEqual(['detr', kind]);
    const rows = rowsOf(await runFitted(model));
    expectSameRows(rows, queriesPlainly(source.logits, source.boxes, kind, usual), size);
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
      build.output('pred_boxes', product(build, source.boxes), 'float32', [1, 100, 4]);
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
      expect(() => fitModel(detrModel(randomQueries(7, 300, 3), alter), { family: 'detr' })).toThrow(
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
