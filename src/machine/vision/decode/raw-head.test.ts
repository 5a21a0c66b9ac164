import { describe, expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import type { Outputs } from './outputs.ts';
import { describeRawHead } from './raw-head.ts';

const outputs = (...shapes: number[][]): Outputs => new Map(shapes.map((shape, i) => [`o${i}`, float32(shape, [])]));

describe('one output', () => {
  it.each([
    ['finished rows', [1, 1000, 6], 'joined-rows'],
    ['finished rows of nothing', [1, 0, 6], 'joined-rows'],
    ['more rows than are ever finished', [1, 1001, 6], 'raw-head'],
    ['rows of seven numbers', [1, 300, 7], 'raw-head'],
    ['the fewest candidates, in rows', [1, 32, 5], 'raw-head'],
    ['the fewest candidates, in columns', [1, 5, 32], 'raw-head'],
    ['too few candidates', [1, 31, 5], null],
    ['too few candidates, in columns', [1, 5, 31], null],
    ['numbers too few for a box and a score', [1, 3000, 4], null],
    ['numbers too few, in columns', [1, 4, 3000], null],
    ['as many rows as columns', [1, 32, 32], 'raw-head'],
    ['two sizes', [300, 6], null],
    ['four sizes', [1, 1, 300, 6], null],
  ])('of %s', (_, shape, code) => {
    expect(describeRawHead(outputs(shape))?.code ?? null).toBe(code);
  });

  it.each([
    ['numbers of classes', [17, 0], 'joined-rows'],
    ['scores of the one class', [0.9, 0.25], 'raw-head'],
    ['in one row no number of a class', [3, 0.5], 'raw-head'],
  ])('of rows of six that end in %s', (_, last, code) => {
    const rows = Array.from({ length: 40 }, (_, row) => [10, 10, 20, 20, 0.5, last[row % 2]!]);
    expect(describeRawHead(new Map([['o0', float32([1, 40, 6], rows.flat())]]))?.code).toBe(code);
  });

  const cure =
    'Decode inside the graph: export the model with boxes, scores and non-maximum suppression as outputs "location", "category" and "score".';
  it.each([
    [[1, 40, 40], '40 candidates of 40 numbers (box, objectness and class scores in one row)', 'objectness × class'],
    [
      [1, 84, 8400],
      '8400 candidates of 84 numbers (box and class scores, one candidate a column; there is no objectness)',
      'that of the best class',
    ],
  ])('of %j says what it is, and what to do', (shape, words, score) => {
    const { message } = describeRawHead(outputs(shape))!;
    expect(
      message.startsWith(`The only output "o0" ${shape.join('×')} looks like a raw detector head: ${words}. `),
    ).toBe(true);
    expect(message).toContain(`the score is ${score}; and nothing has suppressed overlapping boxes. ${cure}`);
  });
});

describe('several outputs', () => {
  const scores = [1, 1600, 80];
  const boxes = [1, 1600, 4];
  it.each<[string, number[][], boolean]>([
    ['three heads without finished boxes', [scores, scores, scores], true],
    ['two heads', [scores, scores], false],
    ['boxes of each stride', [scores, boxes, boxes], true],
    ['one set of boxes, which can be remapped', [scores, boxes, scores], false],
    ['three heads and a count', [scores, scores, scores, [1]], false],
    ['grids of four sizes', [[1, 255, 80, 80], [1, 255, 40, 40], [1, 255, 20, 20]], true],
    ['no output', [], false],
  ])('of %s', (_, shapes, isHead) => {
    const head = describeRawHead(outputs(...shapes));
    expect(head?.code).toBe(isHead ? 'raw-head' : undefined);
    if (head) expect(head.message).toMatch(new RegExp(`^The ${shapes.length} outputs "o0" float32 1×.* look like a raw `));
  }); // prettier-ignore
});
