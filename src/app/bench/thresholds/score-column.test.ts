import { describe, expect, it } from 'vitest';
import { ScoreColumn } from './score-column.ts';

describe('ScoreColumn', () => {
  it('counts exactly while scores come and go', () => {
    const column = new ScoreColumn();
    const scores = Array.from({ length: 3000 }, (_, i) => ((i * 7919) % 1000) / 1000);
    let oldest = 0;
    for (const [i, score] of scores.entries()) {
      column.push(score);
      if (i % 3 > 0 && i > 700) {
        column.shift();
        oldest++;
      }
      if (i % 250 > 0) continue;
      const present = scores.slice(oldest, i + 1);
      expect(column.length).toBe(present.length);
      for (const threshold of [0, 0.015625, 0.31, 0.5, 0.999, 1, Infinity, -Infinity]) {
        expect(column.countAtLeast(threshold)).toBe(present.filter((other) => other >= threshold).length);
      }
    }
    expect(oldest).toBeGreaterThan(1000);
  });

  it('counts scores beyond 0 and 1', () => {
    const column = new ScoreColumn();
    for (const score of [-1, 0, 1, 1.5, Infinity]) column.push(score);
    expect([-2, 0, 1, 1.2, 2].map((threshold) => column.countAtLeast(threshold))).toEqual([5, 4, 3, 2, 1]);
  });

  it('counts the score that equals the threshold, and never one that is not a number', () => {
    const column = new ScoreColumn();
    for (const score of [0.5, NaN, 0.25]) column.push(score);
    expect([column.countAtLeast(0.5), column.countAtLeast(-Infinity), column.length]).toEqual([1, 2, 3]);
    column.push(0.75);
    expect(column.countAtLeast(-Infinity)).toBe(3);
  });
});
