import {
  type Goal,
  goalFigure,
  goalText,
  promiseShare,
  type ThresholdChoice,
} from '../../../evidence/evaluation/face/thresholds.ts';
import type { LabelEvidence, ThresholdEvidence } from '../../../machine/config/face/edits.ts';
import { goalOf, type GoalSettings } from './goal-settings.ts';

/** A threshold that was chosen for a label, by number; no figures are expected of a promise. */
export interface ChosenThreshold extends Pick<ThresholdChoice, 'label' | 'threshold'> {
  readonly expected: ThresholdChoice['expected'] | null;
}

/** The dataset and the setup that were evaluated, and the time. */
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
  const goal = goalOf(settings);
  return {
    ...source,
    goal: goalOfEvidence(settings),
    labels: choices.map((choice) => labelEvidence(choice, labels[choice.label]!, goal)),
  };
}

/** What thresholds stand on by which a run keeps what another one keeps; by label. */
export function evidenceOfMatch(
  thresholds: Readonly<Record<string, number>>,
  source: EvidenceSource,
  other: { readonly title: string; readonly images: number },
): Omit<ThresholdEvidence, 'service'> {
  return {
    ...source,
    images: other.images,
    goal: `to keep what ${other.title} keeps`,
    labels: Object.entries(thresholds).map(([label, threshold]) => ({
      label,
      threshold,
      figure: 'agreement',
      expected: null,
    })),
  };
}

/** A promise is told with how often it may be broken. */
function goalOfEvidence(settings: GoalSettings): string {
  const { kind, promisedRecall, promisedOf, brokenAtMost } = settings;
  const of = promisedOf === 'all-objects' ? 'of all objects together' : 'as a mean over images';
  return kind === 'recall-promise'
    ? `recall ≥ ${promisedRecall} ${of} promised, broken in at most ${promiseShare(brokenAtMost)} of the cases`
    : goalText(goalOf(settings));
}

function labelEvidence({ threshold, expected }: ChosenThreshold, label: string, goal: Goal): LabelEvidence {
  return { label, threshold, ...goalFigure(goal, expected) };
}
