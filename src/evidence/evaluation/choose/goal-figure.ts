import type { Estimate } from '../intervals/ratio-interval.ts';
import type { ExpectedFigures } from './choose-threshold.ts';
import type { Goal } from './goal.ts';

/**
 * @param goal what a threshold is chosen for
 * @returns the goal in words, without a full stop
 * @example
 * goalText({ kind: 'precision', atLeast: 0.9 }); // => 'precision ≥ 0.9'
 */
export function goalText(goal: Goal): string {
  switch (goal.kind) {
    case 'best-f1':
      return 'best F1';
    case 'precision':
    case 'recall':
      return `${goal.kind} ≥ ${goal.atLeast}`;
    case 'cost':
      return `least cost, a miss as ${goal.missedCost} false boxes`;
    case 'false-per-hour':
      return `false boxes an hour ≤ ${goal.atMost} at ${goal.framesPerSecond} frames/s`;
  }
}

/** The figure by which a goal is judged, and what is expected of it on other images; null: nothing can be said. */
export interface GoalFigure {
  readonly figure: 'precision' | 'recall' | 'F1' | 'false boxes an hour';
  readonly expected: Estimate | null;
}

/**
 * @param goal what a threshold was chosen for
 * @param expected what it does on other images; null: nothing is known
 * @returns the figure that tells whether the goal is met
 * @example
 * const f1 = { value: 0.8, low: 0.7, high: 0.9 };
 * goalFigure({ kind: 'best-f1' }, { precision: null, recall: null, f1, falsePerImage: null }).expected.low; // => 0.7
 */
export function goalFigure(goal: Goal, expected: ExpectedFigures | null): GoalFigure {
  switch (goal.kind) {
    case 'precision':
    case 'recall':
      return { figure: goal.kind, expected: expected?.[goal.kind] ?? null };
    case 'false-per-hour': {
      const falsePerImage = expected?.falsePerImage ?? null;
      const anHour = (value: number): number => value * goal.framesPerSecond * 3600;
      const { value, low, high } = falsePerImage ?? { value: 0, low: 0, high: 0 };
      return {
        figure: 'false boxes an hour',
        expected: falsePerImage && { value: anHour(value), low: anHour(low), high: anHour(high) },
      };
    }
    default:
      return { figure: 'F1', expected: expected?.f1 ?? null };
  }
}
