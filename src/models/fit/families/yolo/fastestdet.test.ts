import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { candidatesOf, randomHead, type ObjectnessHead } from '../../../../../tests/fit/objectness-head.ts';
import { suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const cells = 6 * 4;
const classCount = 4;
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.45, maxDetections: 100 };

function randomFastestDet(seed: number): ObjectnessHead {
  const head = randomHead(seed, cells, classCount, (random) => [
    random() * 96,
    random() * 64,
    9 + random() * 40,
    9 + random() * 40,
  ]);
  const sums = head.scores.map((row) => row.reduce((a, b) => a + b));
  return { ...head, scores: head.scores.map((row, k) => row.map((value) => value / sums[k]!)) };
}

function fastestDetModel({ boxes, objectness, scores }: ObjectnessHead, offsets: 'Tanh' | 'Sigmoid' = 'Tanh') {
  return headModel(size, (build) => {
    const column = (values: readonly number[]) => build.floats([1, cells, 1], values);
    // Half a pixel of offset, so that the tanh does something.
    const shift = build.add(offsets, [column(boxes.map(() => (offsets === 'Tanh' ? Math.atanh(0.5) : 0)))]);
    const x = build.add('Add', [column(boxes.map(([value]) => value! - 0.5)), shift]);
    const rest = build.floats(
      [1, cells, 3],
      boxes.flatMap((box) => box.slice(1)),
    );
    const sure = build.add('Sigmoid', [column(objectness.map(logit))]);
    const logits = build.floats([1, cells, classCount], scores.flat().map(Math.log));
    const classes = build.add('Softmax', [logits], { axis: { int: 2 } });
    build.output('output', build.add('Concat', [x, rest, sure, classes], { axis: { int: 2 } }), 'float32', [
      1,
      cells,
      5 + classCount,
    ]);
  });
}

describe('FastestDet', () => {
  it.each([1, 2, 3])('gives what its own post-processing gives, head %i', async (seed) => {
    const head = randomFastestDet(seed);
    const { family, model } = fitModel(fastestDetModel(head));
    expect(family.id).toBe('fastestdet');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(8);
    expectSameRows(rows, suppressPlainly(candidatesOf(head), limits), size);
  });

  it('is not taken for it without its tanh', () => {
    expect(() => fitModel(fastestDetModel(randomFastestDet(1), 'Sigmoid'))).toThrow(/Not FastestDet: no Tanh stands/);
  });
});
