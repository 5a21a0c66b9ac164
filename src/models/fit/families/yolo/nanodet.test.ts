import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { distributionsPlainly } from '../../../../../tests/fit/plain-grids.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const cellsOf = { 8: 96, 16: 24, 32: 6, 64: 2 } as const;

interface Grid {
  readonly cells: number;
  /** [cells][C] probabilities */
  readonly scores: readonly (readonly number[])[];
  /** [cells][4·bins] */
  readonly distributions: readonly (readonly number[])[];
}

function randomGrids(seed: number, strides: readonly (keyof typeof cellsOf)[], classes: number, bins = 8): Grid[] {
  const random = randomSource(seed);
  return strides.map((stride) => {
    const rows = (columns: number, make: () => number) =>
      Array.from({ length: cellsOf[stride] }, () => Array.from({ length: columns }, () => Math.fround(make())));
    return {
      cells: cellsOf[stride],
      scores: rows(classes, () => 0.001 + 0.9 * random() ** 3),
      distributions: rows(4 * bins, () => random() * 6),
    };
  });
}

const part = (build: GraphBuilder, rows: readonly (readonly number[])[]) =>
  build.floats([1, rows.length, rows[0]!.length], rows.flat());
const sigmoidOf = (build: GraphBuilder, { scores }: Grid) =>
  build.add('Sigmoid', [
    part(
      build,
      scores.map((row) => row.map(logit)),
    ),
  ]);

/** A tensor of scores and one of distributions a stride, all scores first. */
function levelsModel(grids: readonly Grid[], { activate = true, input = size, rank2 = false } = {}) {
  return headModel(input, (build) => {
    const say = (name: string, tensor: string, rows: readonly (readonly number[])[]) => {
      const shape = [rows.length, rows[0]!.length];
      if (!rank2) return build.output(name, tensor, 'float32', [1, ...shape]);
      build.output(name, build.add('Reshape', [tensor, build.ints([2], shape)]), 'float32', shape);
    };
    grids.forEach((grid, k) => {
      const logits = part(
        build,
        grid.scores.map((row) => row.map(logit)),
      );
      say(`s${k}`, activate ? sigmoidOf(build, grid) : logits, grid.scores);
    });
    grids.forEach(({ distributions }, k) => say(`d${k}`, part(build, distributions), distributions));
  });
}

/** All in one tensor [1, N, C + 4·bins]. */
function oneModel(grids: readonly Grid[], between: (build: GraphBuilder, grid: string) => string = (_, grid) => grid) {
  return headModel(size, (build) => {
    const parts = grids.map((grid) =>
      between(
        build,
        build.add('Concat', [sigmoidOf(build, grid), part(build, grid.distributions)], { axis: { int: 2 } }),
      ),
    );
    const columns = grids[0]!.scores[0]!.length + grids[0]!.distributions[0]!.length;
    const count = grids.reduce((sum, { cells }) => sum + cells, 0);
    build.output('output', build.add('Concat', parts, { axis: { int: 1 } }), 'float32', [1, count, columns]);
  });
}

function plainly(grids: readonly Grid[], strides: readonly number[], offset: number, limits = {}) {
  const [scores, distributions] = [grids.flatMap((grid) => grid.scores), grids.flatMap((grid) => grid.distributions)];
  return distributionsPlainly(
    scores.flat(),
    distributions.flat(),
    scores[0]!.length,
    { strides, anchors: 1, offset },
    { ...size, scoreThreshold: 0.05, iouThreshold: 0.6, maxDetections: 100, ...limits },
  );
}

const three = [8, 16, 32] as const;
const four = [8, 16, 32, 64] as const;

describe('NanoDet', () => {
  it.each([
    ['NanoDet, a tensor a stride', three, 5, 8, levelsModel, 0.5, 'bgr'],
    ['PicoDet, four strides', four, 3, 8, levelsModel, 0.5, 'rgb'],
    ['NanoDet-g, 11 bins', three, 2, 11, levelsModel, 0.5, 'bgr'],
    ['17 bins', three, 1, 17, levelsModel, 0.5, 'bgr'],
    ['as many classes as numbers of a box', three, 32, 8, levelsModel, 0.5, 'bgr'],
    ['NanoDet in one tensor', three, 4, 8, oneModel, 0.5, 'bgr'],
    ['NanoDet-Plus in one tensor', four, 4, 8, oneModel, 0, 'bgr'],
  ] as const)(
    'gives what its own post-processing gives: %s',
    async (_, strides, classes, bins, make, offset, colour) => {
      const grids = randomGrids(classes, strides, classes, bins);
      const { family, model, preprocessing } = fitModel(make(grids));
      expect([family.id, preprocessing.colour]).toEqual(['nanodet', colour]);
      const rows = rowsOf(await runFitted(model));
      expect(rows.length).toBeGreaterThan(3);
      expectSameRows(rows, plainly(grids, strides, offset), size);
    },
  );

  it('takes logits, tensors without a batch, and its options', async () => {
    const grids = randomGrids(9, three, 80);
    const options = {
      scoreThreshold: 0.3,
      iouThreshold: 0.3,
      maxDetections: 20,
      maxCandidates: 40,
      cellPoint: 'corner',
    };
    const source = levelsModel(grids, { activate: false, rank2: true });
    const rows = rowsOf(await runFitted(fitModel(source, { options }).model));
    expectSameRows(rows, plainly(grids, three, 0, options), size);
  });

  it('takes the size of an open input from the rows, which were exported for a square', () => {
    const square = { 8: 64, 16: 16, 32: 4 } as const;
    const grids = randomGrids(10, three, 2).map((grid, k) => {
      const cells = square[three[k]!];
      return { cells, scores: grid.scores.slice(0, cells), distributions: grid.distributions.slice(0, cells) };
    });
    const open = { widthPx: -1, heightPx: -1 };
    expect(fitModel(levelsModel(grids, { input: open })).inputSize).toEqual({ widthPx: 64, heightPx: 64 });
  });

  it.each([
    [
      'a cell too few',
      levelsModel(
        randomGrids(11, three, 3).map((grid, k) =>
          k > 0 ? grid : { ...grid, scores: grid.scores.slice(1), distributions: grid.distributions.slice(1) },
        ),
      ),
      /neither class scores and distributions/,
    ],
    [
      'boxes that are decoded',
      oneModel(randomGrids(12, three, 3), (build, grid) => build.add('Mul', [grid, build.floats([], [1])])),
      /decoded in the graph/,
    ],
    [
      'a second sigmoid a grid, of an objectness',
      oneModel(randomGrids(13, three, 3), (build, grid) => build.add('Sigmoid', [grid])),
      /6 sigmoids are not one/,
    ],
  ])('is not taken for it with %s', (_, source, why) => {
    expect(() => fitModel(source, { family: 'nanodet' })).toThrow(
      expect.objectContaining({ code: 'not-this-family', message: expect.stringMatching(why) }),
    );
  });
});
