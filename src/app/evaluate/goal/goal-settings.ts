import type { Goal, PromisedOf } from '../../../evidence/evaluation/face/thresholds.ts';

/** Goals, and a promise about recall, which is a bound and no estimate. */
export type GoalKind = Goal['kind'] | 'recall-promise';

/** What a person chooses a threshold for, with the number of each goal. */
export interface GoalSettings {
  readonly kind: GoalKind;
  readonly precision: number;
  readonly recall: number;
  readonly missedCost: number;
  readonly falseAnHour: number;
  readonly framesPerSecond: number;
  /** the share of present objects that is promised to be found, 0..1 */
  readonly promisedRecall: number;
  readonly promisedOf: PromisedOf;
  /** how often the promise may be broken */
  readonly brokenAtMost: number;
}

export const defaultGoal: GoalSettings = {
  kind: 'best-f1',
  precision: 0.9,
  recall: 0.9,
  missedCost: 5,
  falseAnHour: 1,
  framesPerSecond: 5,
  promisedRecall: 0.95,
  promisedOf: 'each-image',
  brokenAtMost: 0.1,
};

export const goalNames: Readonly<Record<GoalKind, string>> = {
  'best-f1': 'Best F1',
  precision: 'Precision at least …',
  recall: 'Recall at least …',
  cost: 'Least cost',
  'false-per-hour': 'False boxes an hour',
  'recall-promise': 'Recall promised',
};

/** The goal by which figures are estimated; that of a promise is the same recall. */
export function goalOf(settings: GoalSettings): Goal {
  const { kind } = settings;
  switch (kind) {
    case 'best-f1':
      return { kind };
    case 'precision':
      return { kind, atLeast: settings.precision };
    case 'recall':
      return { kind, atLeast: settings.recall };
    case 'recall-promise':
      return { kind: 'recall', atLeast: settings.promisedRecall };
    case 'cost':
      return { kind, missedCost: settings.missedCost };
    case 'false-per-hour':
      return { kind, atMost: settings.falseAnHour, framesPerSecond: settings.framesPerSecond };
  }
}
