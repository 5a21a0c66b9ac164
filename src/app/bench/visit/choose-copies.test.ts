import { describe, expect, it } from 'vitest';
import { chooseCopies, copyBudget } from './choose-copies.ts';

const source = (id: string, byteLength: number, cameAtMs: number) =>
  ({ id, kind: 'still', name: id, byteLength, cameAtMs }) as const;

describe('the budget of copies', () => {
  it.each([
    [10e9, 1e9],
    [5e9, 1e9],
    [3_000_001, 600_000],
    [0, 0],
    [null, 100e6],
  ])('is a fifth of %s bytes, a gigabyte at most: %s', (quotaBytes, expected) => {
    expect(copyBudget(quotaBytes)).toBe(expected);
  });
});

describe('which sources get a copy', () => {
  const sources = [source('old1', 40, 1), source('old2', 30, 1), source('new1', 30, 2), source('new2', 20, 2)];
  it.each([
    [120, ['old1', 'old2', 'new1', 'new2']],
    [119, ['old1', 'new1', 'new2']],
    [80, ['old2', 'new1', 'new2']],
    [79, ['new1', 'new2']],
    [40, ['new1']],
    [29, ['new2']],
    [19, []],
  ])('of %s bytes: the newest, of one drop the first, in their order', (budgetBytes, expected) => {
    expect(chooseCopies(sources, budgetBytes).map(({ id }) => id)).toEqual(expected);
  });

  it('takes nothing from the others for one that is too large by itself', () => {
    const chosen = chooseCopies([...sources, source('film', 1000, 3)], 120);
    expect(chosen.map(({ id }) => id)).toEqual(['old1', 'old2', 'new1', 'new2']);
  });
});
