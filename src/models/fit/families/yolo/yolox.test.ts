import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../../tests/fit/head-models.ts';
import { activated, candidatesOf, randomHead, type ObjectnessHead } from '../../../../../tests/fit/objectness-head.ts';
import { suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const grids = [
  { stride: 8, columns: 12, rows: 8 },
  { stride: 16, columns: 6, rows: 4 },
  { stride: 32, columns: 3, rows: 2 },
];
const cells = grids.flatMap(({ stride, columns, rows }) =>
  Array.from({ length: rows }, (_, y) => Array.from({ length: columns }, (_, x) => ({ stride, x, y }))).flat(),
);
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.45, maxDetections: 100 };
const stretch = { letterbox: 'stretch' };

const offsetsAndLogarithms = (random: () => number) => [random(), random(), random() * 2 - 0.5, random() * 2 - 0.5];

function decode([dx, dy, logWidth, logHeight]: readonly number[], row: number): number[] {
  const { stride, x, y } = cells[row]!;
  return [(dx! + x) * stride, (dy! + y) * stride, Math.exp(logWidth!) * stride, Math.exp(logHeight!) * stride];
}

function yoloxModel(head: ObjectnessHead, decoded = false) {
  return headModel(size, (build) => {
    let boxes = build.floats(
      [1, cells.length, 4],
      head.boxes.flatMap((box, row) => (decoded ? decode(box, row) : box)),
    );
    // What an export with its own decoding has: exponentials, and products with the strides.
    if (decoded) boxes = build.add('Log', [build.add('Exp', [build.add('Mul', [boxes, build.floats([], [0.5])])])]);
    if (decoded) boxes = build.add('Mul', [boxes, build.floats([], [2])]);
    const output = build.add('Concat', [boxes, activated(build, head)], { axis: { int: 2 } });
    build.output('output', output, 'float32', [1, cells.length, 5 + head.scores[0]!.length]);
  });
}

describe('YOLOX', () => {
  it.each([1, 5, 80])(
    'decodes the grid and gives what its own post-processing gives, with %i classes',
    async (classCount) => {
      const head = randomHead(classCount, cells.length, classCount, offsetsAndLogarithms);
      const { family, model, options } = fitModel(yoloxModel(head), { options: stretch });
      expect([family.id, options['decoding']]).toEqual(['yolox', 'grid']);
      const rows = rowsOf(await runFitted(model));
      expect(rows.length).toBeGreaterThan(20);
      expectSameRows(rows, suppressPlainly(candidatesOf(head, decode), limits), size);
    },
  );

  it('leaves boxes alone that the export has decoded', async () => {
    const head = randomHead(6, cells.length, 5, offsetsAndLogarithms);
    const { family, model, options } = fitModel(yoloxModel(head, true), { options: stretch });
    expect([family.id, options['decoding']]).toEqual(['yolox', 'none']);
    expectSameRows(rowsOf(await runFitted(model)), suppressPlainly(candidatesOf(head, decode), limits), size);
  });

  it('takes bytes in BGR, which the configuration says', () => {
    const { configuration } = fitModel(yoloxModel(randomHead(1, cells.length, 5, offsetsAndLogarithms)));
    expect(JSON.stringify(configuration)).toContain('"input_image_bgr":true');
    expect(JSON.stringify(configuration)).not.toContain('mean');
  });

  it('gives no box that is not a number, however large a size', async () => {
    const head = randomHead(2, cells.length, 2, () => [0.5, 0.5, 200, 200]);
    const { location } = await runFitted(fitModel(yoloxModel(head), { options: stretch }).model);
    expect(location!.values.every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});
