import { describe, expect, it } from 'vitest';
import { coverOutline, coverRectangle, type Coverage } from './coverage.ts';
import type { OutlineCommand } from './outline-font.ts';

const blank = (widthPx: number, heightPx: number): Coverage => ({
  widthPx,
  heightPx,
  alpha: new Float32Array(widthPx * heightPx),
});
const rows = ({ widthPx, heightPx, alpha }: Coverage) =>
  Array.from({ length: heightPx }, (_, y) =>
    [...alpha.slice(y * widthPx, (y + 1) * widthPx)].map((a) => Math.round(a * 1e6) / 1e6),
  );
const polygon = (...points: [number, number][]): OutlineCommand[] => [
  ...points.map(([x, y], i) => ({ type: i === 0 ? ('M' as const) : ('L' as const), x, y })),
  { type: 'Z' },
];
/** Font units are pixels, y upwards from the bottom edge of a 3 px high picture. */
const asDrawn = { scale: 1, leftPx: 0, baselinePx: 3 };

describe('coverOutline', () => {
  it.each([
    [
      'a square on pixel borders',
      polygon([1, 1], [1, 2], [2, 2], [2, 1]),
      [
        [0, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ],
    ],
    [
      'a square between pixels, wound the other way',
      polygon([0.5, 0.5], [2.25, 0.5], [2.25, 2.5], [0.5, 2.5]),
      [
        [0.25, 0.5, 0.125],
        [0.5, 1, 0.25],
        [0.25, 0.5, 0.125],
      ],
    ],
    [
      'a triangle',
      polygon([0, 0], [3, 0], [0, 3]),
      [
        [0.5, 0, 0],
        [1, 0.5, 0],
        [1, 1, 0.5],
      ],
    ],
    [
      'a ring: the inner contour runs the other way',
      [...polygon([0, 0], [0, 3], [3, 3], [3, 0]), ...polygon([1, 1], [2, 1], [2, 2], [1, 2])],
      [
        [1, 1, 1],
        [1, 0, 1],
        [1, 1, 1],
      ],
    ],
    [
      'what reaches past every edge',
      polygon([-5, -5], [-5, 9], [1.5, 9], [1.5, -5]),
      [
        [1, 0.5, 0],
        [1, 0.5, 0],
        [1, 0.5, 0],
      ],
    ],
    [
      'nothing of what lies outside',
      polygon([7, 0], [7, 3], [9, 3], [9, 0]),
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
  ])('covers %s', (_, commands, expected) => {
    const coverage = blank(3, 3);
    coverOutline(coverage, commands, asDrawn);
    expect(rows(coverage)).toEqual(expected);
  });

  it('covers under a curve: a parabola encloses two thirds of its box', () => {
    const coverage = blank(3, 3);
    coverOutline(
      coverage,
      [{ type: 'M', x: 0, y: 0 }, { type: 'Q', x1: 1.5, y1: 6, x: 3, y: 0 }, { type: 'Z' }],
      asDrawn,
    );
    const area = coverage.alpha.reduce((a, b) => a + b);
    expect(area).toBeGreaterThan(5.9);
    expect(area).toBeLessThan(6);
  });

  it('adds to what is covered already without passing 1', () => {
    const coverage = blank(1, 1);
    const half = polygon([0, 0], [0, 1], [0.5, 1], [0.5, 0]);
    coverOutline(coverage, half, { scale: 1, leftPx: 0, baselinePx: 1 });
    coverOutline(coverage, half, { scale: 1, leftPx: 0, baselinePx: 1 });
    expect(coverage.alpha[0]).toBe(0.75);
  });
});

describe('coverRectangle', () => {
  it.each([
    [1, 1, 3, 2, '000/011/000'],
    [-5, 2, 99, 9, '000/000/111'],
    [2, -1, 3, 1, '001/000/000'],
    [3, 0, 9, 3, '000/000/000'],
    [-4, 0, 0, 3, '000/000/000'],
  ])('covers whole pixels from %i, %i to %i, %i', (xMin, yMin, xMax, yMax, expected) => {
    const coverage = blank(3, 3);
    coverRectangle(coverage, xMin, yMin, xMax, yMax);
    expect(
      rows(coverage)
        .map((row) => row.join(''))
        .join('/'),
    ).toBe(expected);
  });
});
