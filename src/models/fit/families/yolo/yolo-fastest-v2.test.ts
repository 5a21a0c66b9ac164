import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { aroundCentre, bestClass, suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const grids = [
  { stride: 16, width: 6, height: 4, anchors: [12.64, 19.39, 37.88, 51.48, 55.71, 138.31] },
  { stride: 32, width: 3, height: 2, anchors: [126.91, 78.23, 131.57, 214.55, 279.92, 258.87] },
];
const classCount = 4;
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.45, maxDetections: 100 };

/** The numbers of a cell after their activations: 12 of three boxes, three objectnesses, and classes that sum to 1. */
function randomCells(seed: number) {
  const random = randomSource(seed);
  const row = (count: number) => Array.from({ length: count }, () => Math.fround(0.02 + 0.9 * random()));
  return grids.map(({ width, height }) =>
    Array.from({ length: width * height }, () => {
      const classes = row(classCount).map((value) => value ** 4);
      const sum = classes.reduce((a, b) => a + b);
      return { boxes: row(12), objectness: row(3), classes: classes.map((value) => value / sum) };
    }),
  );
}

type Cells = ReturnType<typeof randomCells>;

function fastestV2Model(cells: Cells, { asRows = false, softmax = true, coarseFirst = false } = {}) {
  return headModel(size, (build) => {
    const grid = (rows: Cells[number]) => {
      const say = (values: readonly number[], columns: number) => build.floats([1, rows.length, columns], values);
      const sigmoids = say(
        rows.flatMap(({ boxes, objectness }) => [...boxes, ...objectness].map(logit)),
        15,
      );
      const logits = say(
        rows.flatMap(({ classes }) => classes.map(softmax ? Math.log : logit)),
        classCount,
      );
      const classes = softmax ? build.add('Softmax', [logits], { axis: { int: 2 } }) : build.add('Sigmoid', [logits]);
      return build.add('Concat', [build.add('Sigmoid', [sigmoids]), classes], { axis: { int: 2 } });
    };
    const tables = cells.map(grid);
    if (asRows) {
      const joined = build.add('Concat', tables, { axis: { int: 1 } });
      const shape = [30, 15 + classCount];
      return build.output('845', build.add('Reshape', [joined, build.ints([2], shape)]), 'float32', shape);
    }
    const order = coarseFirst ? [1, 0] : [0, 1];
    for (const at of order) {
      const { height, width } = grids[at]!;
      const shape = [1, height, width, 15 + classCount];
      build.output(`${790 + at}`, build.add('Reshape', [tables[at]!, build.ints([4], shape)]), 'float32', shape);
    }
  });
}

function plainly(cells: Cells, changed: Partial<typeof limits> = {}) {
  const candidates = cells.flatMap((rows, at) => {
    const { stride, width, anchors } = grids[at]!;
    return rows.flatMap(({ boxes, objectness, classes }, cell) =>
      [0, 1, 2].map((anchor) => {
        const [x, y, w, h] = boxes.slice(4 * anchor, 4 * anchor + 4) as [number, number, number, number];
        const { category, score } = bestClass(classes);
        return {
          corners: aroundCentre([
            (2 * x - 0.5 + (cell % width)) * stride,
            (2 * y - 0.5 + Math.floor(cell / width)) * stride,
            (2 * w) ** 2 * anchors[2 * anchor]!,
            (2 * h) ** 2 * anchors[2 * anchor + 1]!,
          ]),
          category,
          score: score * objectness[anchor]!,
        };
      }),
    );
  });
  return suppressPlainly(candidates, { ...limits, ...changed });
}

describe('Yolo-FastestV2', () => {
  it.each([
    ['two grids', {}],
    ['two grids, the coarser first', { coarseFirst: true }],
    ['the rows of both', { asRows: true }],
  ])('gives what its own post-processing gives, as %s', async (_, variant) => {
    const cells = randomCells(5);
    const { family, model } = fitModel(fastestV2Model(cells, variant));
    expect(family.id).toBe('yolo-fastest-v2');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(8);
    expectSameRows(rows, plainly(cells), size);
  });

  it('takes other anchors, twelve numbers of them', async () => {
    const cells = randomCells(6);
    const anchors = grids.flatMap((grid) => grid.anchors).join(' ');
    const { model } = fitModel(fastestV2Model(cells), { options: { anchors, maxDetections: 5 } });
    expectSameRows(rowsOf(await runFitted(model)), plainly(cells, { maxDetections: 5 }), size);
    expect(() => fitModel(fastestV2Model(cells), { options: { anchors: '8, 16' } })).toThrow(/need 12/);
  });

  it('is not taken for it without its softmax', () => {
    expect(() => fitModel(fastestV2Model(randomCells(1), { softmax: false }))).toThrow(
      /Not Yolo-FastestV2: no sigmoid/,
    );
  });
});
