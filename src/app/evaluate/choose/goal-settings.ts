import type { Goal } from '../../../evaluation/choose/goal.ts';

/** What a person chooses a threshold for, with the number of each goal. */
export interface GoalSettings {
  readonly kind: Goal['kind'];
  readonly precision: number;
  readonly recall: number;
  readonly missedCost: number;
  readonly falseAnHour: number;
  readonly framesPerSecond: number;
}

export const defaultGoal: GoalSettings = {
  kind: 'best-f1',
  precision: 0.9,
  recall: 0.9,
  missedCost: 5,
  falseAnHour: 1,
  framesPerSecond: 5,
};

export const goalNames: Readonly<Record<Goal['kind'], string>> = {
  'best-f1': 'Best F1',
  precision: 'Precision at least …',
  recall: 'Recall at least …',
  cost: 'Least cost',
  'false-per-hour': 'False boxes an hour',
};

export function goalOf(settings: GoalSettings): Goal {
  const { kind } = settings;
  switch (kind) {
    case 'best-f1':
      return { kind };
    case 'precision':
      return { kind, atLeast: settings.precision };
    case 'recall':
      return { kind, atLeast: settings.recall };
    case 'cost':
      return { kind, missedCost: settings.missedCost };
    case 'false-per-hour':
      return { kind, atMost: settings.falseAnHour, framesPerSecond: settings.framesPerSecond };
  }
}
