import { describe, expect, it } from 'vitest';
import { headModel } from '../../../tests/fit/head-models.ts';
import { proportional, type PlainCandidate } from '../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import { fitModel } from '../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const stretch = { letterbox: 'stretch' };

function randomRows(seed: number, count: number): PlainCandidate[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, () => {
    const [x, y] = [random() * 90, random() * 60];
    return {
      corners: [x, y, x + random() * 20, y + random() * 20].map(Math.fround) as [number, number, number, number],
      score: Math.fround(random()),
      category: Math.floor(random() * 5),
    };
  });
}

/** As YOLOv10 ends: the best of all rows, chosen in the graph. */
function endToEndModel(rows: readonly PlainCandidate[], chooser: 'TopK' | 'none' = 'TopK') {
  const count = rows.length;
  return headModel(size, (build) => {
    const all = build.floats(
      [count, 6],
      rows.flatMap(({ corners, score, category }) => [...corners, score, category]),
    );
    const scores = build.floats(
      [count],
      rows.map(({ score }) => score),
    );
    const index =
      chooser === 'TopK'
        ? build.addMany('TopK', [scores, build.ints([1], [count])], 2, { axis: { int: 0 } })[1]!
        : build.ints(
            [count],
            rows.map((_, k) => k),
          );
    const output = build.add('Unsqueeze', [build.add('Gather', [all, index]), build.ints([1], [0])]);
    build.output('output0', output, 'float32', [1, count, 6]);
  });
}

describe('rows that the graph has already chosen', () => {
  it.each([20, 300])('are passed on, best first, of %i', async (count) => {
    const rows = randomRows(count, count);
    const { family, model } = fitModel(endToEndModel(rows), { options: stretch });
    expect(family.id).toBe('yolo-end-to-end');
    const wanted = rows
      .filter(({ score }) => score > 0.01)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 100)
      .map((row) => proportional(row, size));
    expectSameRows(rowsOf(await runFitted(model)), wanted, size);
  });

  it('are none of it where nothing chooses them, as in a raw head of one class', () => {
    expect(() => fitModel(endToEndModel(randomRows(1, 126), 'none'))).toThrow(/nothing before its output chooses/);
  });
});
