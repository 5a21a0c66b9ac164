import { describe, expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import type { BoxRows } from '../interpretations/box-rows.ts';
import { classNamed, surenessOfBox, surenessOfClass } from './known-answer.ts';

describe('classNamed', () => {
  it.each([
    ['zebra', ['horse', 'zebra'], 1],
    [' ZEBRA ', ['horse', 'Zebra '], 1],
    ['crane', ['crane', 'crane'], 0],
    ['1', ['horse', 'zebra'], 1],
    ['1', ['1', 'zebra'], 0],
    ['2', ['horse', 'zebra'], null],
    ['7', null, 7],
    ['zeb', ['horse', 'zebra'], null],
    ['-1', null, null],
    ['', ['horse', 'zebra'], null],
  ] as const)('%j among %j is %j', (words, labels, category) => {
    expect(classNamed(words, labels)).toBe(category);
  });
});

describe('surenessOfClass', () => {
  it('is the probability of the class, and at most 1', () => {
    const outputs = new Map([['probability', float32([1, 3], [0.25, Number.NaN, 1.5])]]);
    const of = (category: number) => surenessOfClass(outputs, { category, box: null });
    expect([0, 1, 2, 3].map(of)).toEqual([0.25, 0, 1, null]);
    expect(surenessOfClass(new Map(), { category: 0, box: null })).toBeNull();
  });
});

describe('surenessOfBox', () => {
  const rows: BoxRows = {
    count: 3,
    score: Float64Array.of(0.9, 0.6, 0.4),
    category: Float64Array.of(1, 2, 2),
    box: Float64Array.of(0, 0, 1, 1, 0, 0, 0.5, 1, 0.5, 0, 1, 1),
    classCount: 3,
    space: 'proportional',
    firstBoxSum: 2,
  };

  it('is the best score of the class', () => {
    const of = (category: number) => surenessOfBox(rows, { category, box: null });
    expect([0, 1, 2].map(of)).toEqual([0, 0.9, 0.6]);
  });

  it('is not that of a sliver', () => {
    const slivers = { ...rows, box: Float64Array.of(0.2, 0, 0.2, 1, 0, 0.5, 1, 0.505, 0.5, 0, 1, 1) };
    const of = (category: number) => surenessOfBox(slivers, { category, box: null });
    expect([1, 2].map(of)).toEqual([0, 0.4]);
  });

  it('is less where the box lies elsewhere, and looks for another that lies there', () => {
    const of = (...box: [number, number, number, number]) => surenessOfBox(rows, { category: 2, box });
    expect(of(0, 0, 0.5, 1)).toBe(0.6);
    expect(of(0.5, 0, 1, 1)).toBe(0.4);
    // A third of the better box's union: two thirds of what is wanted.
    expect(of(0.25, 0, 0.75, 1)).toBeCloseTo(0.4);
  });
});
