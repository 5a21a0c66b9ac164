import { describe, expect, it } from 'vitest';
import { columnsOf, type ResultRow } from '../documents/document-columns.ts';
import { chartPoints, firstChart } from './chart-points.ts';

const chart = (rows: readonly ResultRow[]) => {
  const choice = firstChart(rows, columnsOf(rows))!;
  return { choice, points: chartPoints(rows, choice.across, choice.drawn) };
};

describe('the first chart', () => {
  it('draws numbers over time, in its order, with holes where there are none', () => {
    const { choice, points } = chart([
      { name: 'b', at: new Date(2000), kg: 2 },
      { name: 'a', at: new Date(1000), kg: 1, lb: 2.2 },
      { name: 'c', at: null, kg: 9 },
    ]);
    expect([choice.kind, choice.across.path]).toEqual(['line', 'at']);
    expect(points).toEqual({
      x: [1, 2],
      names: null,
      isTime: true,
      lines: [
        [1, 2],
        [2.2, null],
      ],
    });
  });

  it('draws bars over names, as the rows came, also where each has one of few times', () => {
    const { choice, points } = chart([
      { name: 'z', n: 3, latest: new Date(5) },
      { name: 'a', n: 1, latest: new Date(5) },
    ]);
    expect(choice.kind).toBe('bar');
    expect(points).toMatchObject({ x: [0, 1], names: ['z', 'a'], isTime: false, lines: [[3, 1]] });
  });

  it('draws a single reading at its time', () => {
    const { choice, points } = chart([{ time: new Date(5000), volts: 12.5 }]);
    expect(choice.kind).toBe('line');
    expect(points).toMatchObject({ x: [5], isTime: true, lines: [[12.5]] });
  });

  it('draws a number over another', () => {
    const { points } = chart([
      { x: 3, y: 30 },
      { x: 1, y: 10 },
    ]);
    expect(points).toMatchObject({ x: [1, 3], lines: [[10, 30]] });
  });

  it.each([[[]], [[{ name: 'a' }]], [[{ kg: 1 }]]])('is none of %j', (rows) => {
    expect(firstChart(rows, columnsOf(rows))).toBeNull();
  });
});
