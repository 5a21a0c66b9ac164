import { expect, it } from 'vitest';
import { cellAfterKey, cellOfSlot, layOut, visibleCells } from './grid-layout.ts';

it.each([
  [1000, 160, { columns: 6, cellWidthPx: 166, rowHeightPx: 125 + 20 }],
  [390, 160, { columns: 2, cellWidthPx: 195, rowHeightPx: 146 + 20 }],
  [100, 160, { columns: 1, cellWidthPx: 100, rowHeightPx: 75 + 20 }],
])('lays out a width of %d px', (widthPx, wantedPx, expected) => {
  expect(layOut(100_000, widthPx, wantedPx, 20)).toMatchObject(expected);
});

it('draws a screenful wherever one is', () => {
  const layout = layOut(100_000, 960, 160, 20); // 6 columns of 140 px
  expect(visibleCells(layout, 100_000, 0, 700)).toEqual({ first: 0, end: 48, slots: 48 });
  expect(visibleCells(layout, 100_000, 140 * 1000, 700)).toEqual({ first: 5994, end: 6042, slots: 48 });
  expect(visibleCells(layout, 100_000, layout.heightPx, 700)).toEqual({ first: 99_954, end: 100_000, slots: 48 });
  expect(visibleCells(layOut(3, 960, 160, 20), 3, 0, 700)).toEqual({ first: 0, end: 3, slots: 48 });
});

it('draws each cell of a screenful into one element, and changes those alone that leave it', () => {
  const drawn = (first: number): number[] =>
    Array.from({ length: 12 }, (_, slot) => cellOfSlot({ first, slots: 12 }, slot));
  expect(drawn(0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(drawn(3)).toEqual([12, 13, 14, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(drawn(99_990).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => 99_990 + at));
});

it.each([
  ['ArrowRight', 5, 6],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 5, 11],
  ['ArrowUp', 5, 5],
  ['ArrowDown', 95, 99],
  ['PageDown', 10, 34],
  ['PageUp', 10, 0],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['a', 50, null],
])('%s leads from %d to %j', (key, from, to) => {
  expect(cellAfterKey(key, from, { columns: 6, count: 100, pageRows: 4 })).toBe(to);
});
