import { describe, expect, it } from 'vitest';
import { fill } from './fill.ts';
import { toleranceFor } from './pen.ts';
import { roundLine } from './round-line.ts';

type Line = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** The coverages, row by row, of a line 2 px wide between whole pixels in a picture of 8×4. */
function drawn([fromX, fromY, toX, toY]: Line): number[][] {
  const rows = Array.from({ length: 4 }, () => new Array<number>(8).fill(0));
  const outline = roundLine(64 * fromX, 64 * fromY, 64 * toX, 64 * toY, 64, toleranceFor(64, 48));
  fill(outline, { widthPx: 8, heightPx: 4 }, 'non-zero', (x, y, alpha16) => (rows[y]![x] = alpha16));
  return rows;
}
const none = [0, 0, 0, 0, 0, 0, 0, 0];
const all = 65535;

// The four ends are not alike: chords are rounded towards zero. Boxes made of such lines are equal to the machine's code (tests/oracle/overlay.test.ts).
describe('roundLine', () => {
  it.each<[string, Line, number[][]]>([
    [
      'level',
      [3, 2, 6, 2],
      [none, [0, 0, 53421, all, all, all, 51212, 0], [0, 0, 51212, all, all, all, 48971, 0], none],
    ],
    [
      'level, backwards',
      [6, 2, 3, 2],
      [none, [0, 0, 53421, all, all, all, 51212, 0], [0, 0, 51212, all, all, all, 48971, 0], none],
    ],
    [
      'upright, at the top edge',
      [2, 1, 2, 3],
      [
        [0, 51660, 51212, 0, 0, 0, 0, 0],
        [0, all, all, 0, 0, 0, 0, 0],
        [0, all, all, 0, 0, 0, 0, 0],
        [0, 51212, 48971, 0, 0, 0, 0, 0],
      ],
    ],
    [
      'half above the top edge, where round ends run on to the right',
      [1, 0, 3, 0],
      [[41962, all, all, 38073, 48139, 36360, 24582, 12291], none, none, none],
    ],
  ])('%s', (_, line, rows) => {
    expect(drawn(line)).toEqual(rows);
  });

  it('has no outline without a length', () => {
    expect(roundLine(192, 128, 192, 128, 64, toleranceFor(64, 48))).toEqual([]);
  });
});
