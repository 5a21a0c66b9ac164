import { describe, expect, it } from 'vitest';
import { fill, type FillRule } from './fill.ts';
import type { Contours } from './pen.ts';

/** Every row's coverages, 0..65535. */
function covered(contours: Contours, widthPx: number, heightPx: number, rule: FillRule = 'non-zero'): number[][] {
  const rows = Array.from({ length: heightPx }, () => new Array<number>(widthPx).fill(0));
  fill(contours, { widthPx, heightPx }, rule, (x, y, alpha16) => (rows[y]![x] = alpha16));
  return rows;
}
const square = (from: number, to: number) => [from, from, to, from, to, to, from, to, from, from];
const whole = 65535;
/** Coverages have 12 bits: half of a pixel is 0x800, of which the highest bits stand again at the end. */
const half = 0x8008;

describe('fill', () => {
  it('gives each pixel the share of it that a slanted shape covers', () => {
    expect(covered([[10, 20, 200, 50, 90, 170, 10, 20]], 4, 3)).toEqual([
      [26470, 31751, 21269, 640],
      [14387, 65407, 30215, 0],
      [0, 20501, 0, 0],
    ]);
  });

  it('covers the same whichever way round a contour goes', () => {
    const [there, back] = [
      [10, 20, 200, 50, 90, 170, 10, 20],
      [10, 20, 90, 170, 200, 50, 10, 20],
    ];
    expect(covered([back], 4, 3)).toEqual(covered([there], 4, 3));
  });

  it.each<[FillRule, number]>([
    ['non-zero', whole],
    ['even-odd', 0xc00c], // three quarters
  ])('counts what two contours cover by the %s rule', (rule, corner) => {
    const rows = covered([square(0, 256), square(96, 160)], 4, 4, rule);
    expect(rows[0]).toEqual([whole, whole, whole, whole]);
    expect(rows[1]).toEqual([whole, corner, corner, whole]);
  });

  it('leaves a pixel that two contours cover wholly uncovered under even-odd', () => {
    expect(covered([square(0, 192), square(64, 128)], 3, 3, 'even-odd')[1]).toEqual([whole, 0, whole]);
  });

  it('counts what reaches beyond the left and the right edge in the rows between', () => {
    const bar = [-100, 32, 400, 32, 400, 96, -100, 96, -100, 32];
    expect(covered([bar], 4, 2)).toEqual([new Array(4).fill(half), new Array(4).fill(half)]);
  });

  it('cuts shapes off below', () => {
    expect(covered([[0, 64, 100, 64, 180, 300, 20, 250, 0, 64]], 3, 3)).toEqual([
      [0, 0, 0],
      [62479, 47627, 0],
      [55821, 64431, 5281],
    ]);
  });

  // Rows are counted towards zero: what lies above the picture is taken for its first row too, as round-line.test.ts has it.
  it('lets slanted edges above the picture run on into its first row', () => {
    expect(covered([[100, -90, 160, -90, 230, 100, 40, 70, 100, -90]], 4, 2)).toEqual([
      [10386, 65471, whole, 12803],
      [2784, 14339, 25094, 16035],
    ]);
  });

  it('paints nothing for no contour, nor for one outside the picture', () => {
    expect(covered([], 1, 1)).toEqual([[0]]);
    expect(covered([square(128, 192)], 2, 2).flat()).toEqual([0, 0, 0, 0]);
  });
});
