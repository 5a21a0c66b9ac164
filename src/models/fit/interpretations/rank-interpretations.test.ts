import { describe, expect, it } from 'vitest';
import { float32, int64 } from '../../../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../../../tests/machine-configs.ts';
import type { BoxOrder } from '../../../machine/vision/decode/box-order.ts';
import type { Outputs } from '../../../machine/vision/decode/outputs.ts';
import { listInterpretations } from './list-interpretations.ts';
import { rankInterpretations, interpretationsLeft } from './rank-interpretations.ts';
import { editsOf } from './interpretation-edits.ts';
import { sixBoxOrders } from './interpretation.ts';

const things = [
  { box: [0.1, 0.2, 0.35, 0.8], score: 0.9, category: 2 },
  { box: [0.5, 0.1, 0.95, 0.4], score: 0.8, category: 0 },
  { box: [0.6, 0.55, 0.75, 0.9], score: 0.7, category: 1 },
  { box: [0.05, 0.03, 0.2, 0.15], score: 0.63, category: 5 },
];
const mirror = ([x0, y0, x1, y1]: readonly number[]) => [1 - x1!, y0!, 1 - x0!, y1!];
const sizes = { inputWidthPx: 321, inputHeightPx: 321 };

/** What a model that writes boxes in an order gives for a frame with these things, and for its mirror image. */
function seen(order: BoxOrder, write: (boxes: number[], list: typeof things) => Outputs) {
  const give = (turn: (box: readonly number[]) => readonly number[]) => ({
    ...sizes,
    outputs: write(
      things.flatMap(({ box }) => order.map((coordinate) => turn(box)[coordinate]!)),
      things,
    ),
  });
  return { run: give((box) => box), mirrored: give(mirror) };
}
const threeTensors = (boxes: number[], list: typeof things): Outputs =>
  new Map([
    [
      'labels',
      int64(
        [1, 4],
        list.map(({ category }) => category),
      ),
    ],
    ['boxes', float32([1, 4, 4], boxes)],
    [
      'scores',
      float32(
        [1, 4],
        list.map(({ score }) => score),
      ),
    ],
  ]);
const interpretation = (output: ReturnType<typeof listInterpretations>[number]['output']) => {
  const { bgr, meanValue, stdDev } = visionServiceConfig({});
  return { input: { bgr, meanValue, stdDev, fit: 'stretch' as const }, output, why: '' };
};

describe('interpretations of a detector', () => {
  it.each(sixBoxOrders)('the mirror tells the order %s,%s,%s,%s from the five others', (...order) => {
    const { run, mirrored } = seen(order as unknown as BoxOrder, threeTensors);
    const ranked = rankInterpretations(listInterpretations(run.outputs), run, mirrored);
    expect(ranked).toHaveLength(6);
    const left = interpretationsLeft(ranked);
    expect(left.map(({ output }) => output.boxOrder)).toEqual([order]);
    const present = visionServiceConfig({});
    const { attributes, needs } = editsOf(interpretation(left[0]!.output), present, run.outputs, null);
    expect(attributes).toEqual(order.join() === '1,0,3,2' ? {} : { boxOrder: order });
    expect(needs).toEqual([]);
  });

  it('leaves what one frame alone does not decide', () => {
    const { run } = seen([0, 1, 2, 3], threeTensors);
    const left = interpretationsLeft(rankInterpretations(listInterpretations(run.outputs), run, null));
    expect(left.length).toBeGreaterThan(1);
    expect(left.map(({ why }) => why)).toContain('boxes are x, y, x, y');
  });

  it('finds categories inside the scores, with a background class, and writes what says so', () => {
    const classes = (list: typeof things) =>
      list.flatMap(({ score, category }) => Array.from({ length: 7 }, (_, at) => (at === category + 1 ? score : 0.01)));
    const nothing = Array.from({ length: 60 }, () => [0.95, ...Array<number>(6).fill(0.01)]).flat();
    const { run, mirrored } = seen([0, 1, 2, 3], (boxes, list) => {
      const spare = Array.from({ length: 60 }, (_, row) => [
        0.01 * row,
        0.005 * row,
        0.01 * row + 0.2,
        0.005 * row + 0.3,
      ]);
      return new Map([
        ['scores', float32([1, 64, 7], [...classes(list), ...nothing])],
        ['boxes', float32([1, 64, 4], [...boxes, ...spare.flat()])],
      ]);
    });
    const [best, ...others] = interpretationsLeft(rankInterpretations(listInterpretations(run.outputs), run, mirrored));
    expect([best!.why, others]).toEqual(['boxes are x, y, x, y, class 0 is background', []]);
    const labels = ['nothing', 'a', 'b', 'c', 'd', 'e', 'f'];
    const present = visionServiceConfig({ defaultMinimumConfidence: 0.4 });
    expect(editsOf(interpretation(best!.output), present, run.outputs, labels)).toEqual({
      attributes: { remapOutputNames: { boxes: 'location', scores: 'score' }, boxOrder: [0, 1, 2, 3] },
      labelConfidences: { a: 0.4, b: 0.4, c: 0.4, d: 0.4, e: 0.4, f: 0.4 },
      needs: [],
      fitOptions: {},
    });
    expect(editsOf(interpretation(best!.output), present, run.outputs, null).labelConfidences).toMatchObject({
      1: 0.4,
      6: 0.4,
    });
  });

  it('says what no configuration does: activation, and a first box that misleads the machine', () => {
    const { run, mirrored } = seen(
      [1, 0, 3, 2],
      (boxes, list) =>
        new Map([
          ['location', float32([1, 5, 4], [0, 0, 0, 0, ...boxes.map((value) => 320 * value)])],
          ['category', float32([1, 5], [0, ...list.map(({ category }) => category)])],
          ['score', float32([1, 5], [-9, ...list.map(({ score }) => Math.log(score / (1 - score)))])],
        ]),
    );
    const [best] = interpretationsLeft(rankInterpretations(listInterpretations(run.outputs), run, mirrored));
    expect(best!.output).toMatchObject({ activation: 'sigmoid', space: 'absolute', boxOrder: [1, 0, 3, 2] });
    const edits = editsOf(interpretation(best!.output), visionServiceConfig({}), run.outputs, null);
    const { needs, attributes, fitOptions } = edits;
    expect(attributes).toEqual({});
    expect(needs).toEqual([expect.stringContaining('no sigmoid'), expect.stringContaining('first box')]);
    expect(fitOptions).toMatchObject({ activation: 'sigmoid', boxes: best!.output.location });
  });

  it('says bytes, range and margin of the input', () => {
    const { run } = seen([1, 0, 3, 2], threeTensors);
    const [{ output } = { output: null }] = listInterpretations(run.outputs);
    const input = { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'letterbox' as const };
    expect(editsOf({ input, output: output!, why: '' }, visionServiceConfig({}), run.outputs, null)).toMatchObject({
      attributes: { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1] },
      needs: [expect.stringContaining('stretches')],
    });
  });

  it('takes no whole numbers for scores where others may be, and names tensors where several fit', () => {
    const rest = { boxes: float32([1, 2, 4], [0.1, 0.2, 0.4, 0.9, 0.5, 0.1, 0.9, 0.3]), none: float32([1, 2], [0, 0]) };
    const one = listInterpretations(new Map(Object.entries({ ...rest, sure: float32([1, 2], [0.9, 0.8]) })));
    expect(new Set(one.map(({ output }) => `${output.score} ${output.category}`))).toEqual(new Set(['sure none']));
    const two = listInterpretations(
      new Map(Object.entries({ ...rest, sure: float32([1, 2], [0.9, 0.8]), also: float32([1, 2], [0.5, 0.4]) })),
    );
    expect(new Set(two.map(({ why }) => why)).size).toBe(two.length);
    expect(two[0]!.why).toMatch(/^“boxes” holds boxes, “sure” scores, “none” classes, boxes are /);
  });

  it.each([
    ['a raw head', new Map([['output', float32([1, 40, 85], Array(3400).fill(0))]])],
    ['a classifier', new Map([['probability', float32([1, 1000], Array(1000).fill(0))]])],
    [
      'scores of another count',
      new Map([
        ['boxes', float32([1, 3, 4], Array(12).fill(0))],
        ['scores', float32([1, 2], [0, 0])],
      ]),
    ],
    ['nothing', new Map()],
  ])('there are none of %s', (_, outputs) => {
    expect(listInterpretations(outputs)).toEqual([]);
  });
});
