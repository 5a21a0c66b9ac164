import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../../tests/fit/head-models.ts';
import { activated, candidatesOf, randomHead, type ObjectnessHead } from '../../../../../tests/fit/objectness-head.ts';
import { suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const count = 3 * (12 * 8 + 6 * 4 + 3 * 2);
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.45, maxDetections: 100 };
const stretch = { letterbox: 'stretch' };

const pixelBox = (random: () => number) => [random() * 96, random() * 64, 4 + random() * 40, 4 + random() * 40];

function yoloV5Model(head: ObjectnessHead, operator: 'Mul' | 'Identity' = 'Mul', extraRows = 0) {
  const columns = 5 + head.scores[0]!.length;
  return headModel(size, (build) => {
    const boxes = build.floats([1, count, 4], head.boxes.flat());
    const decoded =
      operator === 'Mul' ? build.add('Mul', [boxes, build.floats([], [1])]) : build.add(operator, [boxes]);
    const output = build.add('Concat', [decoded, activated(build, head)], { axis: { int: 2 } });
    build.output('output0', output, 'float32', [1, count + extraRows, columns]);
  });
}

describe('YOLOv5', () => {
  it.each([1, 5, 80])('gives what its own post-processing gives, with %i classes', async (classCount) => {
    const head = randomHead(classCount, count, classCount, pixelBox);
    const { family, model } = fitModel(yoloV5Model(head), { options: stretch });
    expect(family.id).toBe('yolo-v5');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(20);
    expectSameRows(rows, suppressPlainly(candidatesOf(head), limits), size);
  });

  it('takes boxes that are shares of the input where it is told so', async () => {
    const head = randomHead(3, count, 5, pixelBox);
    const shares = { ...head, boxes: head.boxes.map(([x, y, w, h]) => [x! / 96, y! / 64, w! / 96, h! / 64]) };
    const { model } = fitModel(yoloV5Model(shares), { options: { ...stretch, boxUnit: 'proportional' } });
    expectSameRows(rowsOf(await runFitted(model)), suppressPlainly(candidatesOf(head), limits), size);
  });

  it('leaves the numbers of masks out', async () => {
    const head = randomHead(5, count, 5, pixelBox);
    const source = headModel(size, (build) => {
      const decoded = build.add('Mul', [build.floats([1, count, 4], head.boxes.flat()), build.floats([], [1])]);
      const coefficients = build.floats([1, count, 4], new Float32Array(4 * count).fill(9));
      const output = build.add('Concat', [decoded, activated(build, head), coefficients], { axis: { int: 2 } });
      build.output('output0', output, 'float32', [1, count, 14]);
      build.output('output1', build.floats([1, 4, 16, 24], new Float32Array(1536)), 'float32', [1, 4, 16, 24]);
    });
    const { model, evidence } = fitModel(source, { options: stretch });
    expect(evidence[0]).toMatch(/5 class scores a candidate; 4 further numbers of masks are not boxes/);
    expectSameRows(rowsOf(await runFitted(model)), suppressPlainly(candidatesOf(head), limits), size);
  });

  it.each([
    ['rows that nothing decodes', 'Identity', 0, /rows are not decoded/],
    ['a row too many', 'Mul', 1, /379 candidates are not three anchors a cell/],
  ] as const)('is not taken for it with %s', (_, operator, extraRows, message) => {
    const head = randomHead(4, count, 5, pixelBox);
    expect(() => fitModel(yoloV5Model(head, operator, extraRows))).toThrow(
      expect.objectContaining({ code: 'unrecognised', message: expect.stringMatching(message) }),
    );
  });
});
