import type { ThresholdChoice } from '../../../evaluation/choose/choose-threshold.ts';
import type { Estimate } from '../../../evaluation/intervals/ratio-interval.ts';
import type { LabelEvidence, ThresholdEvidence } from '../../../config/threshold-evidence.ts';
import { shareText } from '../../kit/words/figures.ts';
import type { GoalSettings } from './goal-settings.ts';

/** A threshold that was chosen for a label, by number; no figures are expected of a promise. */
export interface ChosenThreshold extends Pick<ThresholdChoice, 'label' | 'threshold'> {
  readonly expected: ThresholdChoice['expected'] | null;
}

/** What was evaluated, with what and when. */
export type EvidenceSource = Omit<ThresholdEvidence, 'service' | 'images' | 'goal' | 'labels'>;

interface Evaluated extends EvidenceSource {
  readonly images: number;
  /** names by label number */
  readonly labels: readonly string[];
}

/** What thresholds that were chosen by a goal stand on. */
export function evidenceOf(
  choices: readonly ChosenThreshold[],
  { labels, ...source }: Evaluated,
  settings: GoalSettings,
): Omit<ThresholdEvidence, 'service'> {
  const goal = goalText(settings);
  return { ...source, goal, labels: choices.map((choice) => labelEvidence(choice, labels[choice.label]!, settings)) };
}

/** "precision ≥ 0.9" */
function goalText(settings: GoalSettings): string {
  const { kind, precision, recall, missedCost, falseAnHour, framesPerSecond, promisedRecall, brokenAtMost } = settings;
  switch (kind) {
    case 'best-f1':
      return 'best F1';
    case 'precision':
      return `precision ≥ ${precision}`;
    case 'recall':
      return `recall ≥ ${recall}`;
    case 'recall-promise':
      return `recall ≥ ${promisedRecall} promised, broken in at most ${shareText(brokenAtMost)} of the cases`;
    case 'cost':
      return `least cost, a miss as ${missedCost} false boxes`;
    case 'false-per-hour':
      return `false boxes an hour ≤ ${falseAnHour} at ${framesPerSecond} frames/s`;
  }
}

function labelEvidence(
  { threshold, expected }: ChosenThreshold,
  label: string,
  { kind, framesPerSecond }: GoalSettings,
): LabelEvidence {
  const { precision, recall, f1, falsePerImage } = expected ?? nothingExpected;
  const of = (figure: string, estimate: Estimate | null): LabelEvidence => ({
    label,
    threshold,
    figure,
    expected: estimate,
  });
  switch (kind) {
    case 'precision':
      return of('precision', precision);
    case 'recall':
    case 'recall-promise':
      return of('recall', recall);
    case 'false-per-hour':
      return of('false boxes an hour', scaled(falsePerImage, framesPerSecond * 3600));
    default:
      return of('F1', f1);
  }
}

const nothingExpected: ThresholdChoice['expected'] = { precision: null, recall: null, f1: null, falsePerImage: null };

const scaled = (estimate: Estimate | null, by: number): Estimate | null =>
  estimate && { value: estimate.value * by, low: estimate.low * by, high: estimate.high * by };
