import { expect, it } from 'vitest';
import { goalFigure, goalText } from './goal-figure.ts';
import type { Goal } from './goal.ts';

const estimate = (value: number) => ({ value, low: value / 2, high: 2 * value });
const expected = { precision: estimate(0.1), recall: estimate(0.2), f1: estimate(0.3), falsePerImage: estimate(0.01) };

it.each<[Goal, string, string, number]>([
  [{ kind: 'best-f1' }, 'best F1', 'F1', 0.3],
  [{ kind: 'precision', atLeast: 0.9 }, 'precision ≥ 0.9', 'precision', 0.1],
  [{ kind: 'recall', atLeast: 0.8 }, 'recall ≥ 0.8', 'recall', 0.2],
  [{ kind: 'cost', missedCost: 5 }, 'least cost, a miss as 5 false boxes', 'F1', 0.3],
  [
    { kind: 'false-per-hour', atMost: 2, framesPerSecond: 5 },
    'false boxes an hour ≤ 2 at 5 frames/s',
    'false boxes an hour',
    180,
  ],
])('%j is said and judged', (goal, text, figure, value) => {
  expect(goalText(goal)).toBe(text);
  expect(goalFigure(goal, expected)).toEqual({ figure, expected: estimate(value) });
  expect(goalFigure(goal, null)).toEqual({ figure, expected: null });
});
