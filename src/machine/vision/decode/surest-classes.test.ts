import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../../tests/random-frame.ts';
import { surestClasses } from './surest-classes.ts';

const many = (count: number, scoreOf: (row: number) => number) => ({
  labels: Array.from({ length: count }, (_, row) => String(row)),
  score: Float64Array.from({ length: count }, (_, row) => scoreOf(row)),
});

describe('surestClasses', () => {
  it('keeps the list of a real classifier, up to 22,000 classes', () => {
    const raw = many(22_000, () => 0.5);
    expect(surestClasses(raw)).toBe(raw);
  });

  it('lists the highest of more, in label order, and counts the others', () => {
    const random = randomSource(3);
    const raw = many(30_000, random);
    const { labels, score, unlisted } = surestClasses(raw, 50);
    const highest = [...raw.score].sort((a, b) => b - a).slice(0, 50);
    expect([...score].sort((a, b) => b - a)).toEqual(highest);
    expect(labels.map((label) => raw.score[Number(label)])).toEqual([...score]);
    expect(labels.map(Number)).toEqual(labels.map(Number).toSorted((a, b) => a - b));
    expect(unlisted).toBe(29_950);
  });

  it('takes the first of equal ones, and none that is not a number', () => {
    expect(
      surestClasses(
        many(30_000, (row) => (row < 10 ? NaN : 1)),
        3,
      ),
    ).toMatchObject({ labels: ['10', '11', '12'], unlisted: 29_997 });
    expect(
      surestClasses(
        many(30_000, () => NaN),
        2,
      ).labels,
    ).toEqual(['0', '1']);
  });
});
