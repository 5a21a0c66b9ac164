import type { PresentSetup, ThresholdEvidence } from '../../../machine/config/face/edits.ts';

/** What becomes of the labels that are not set. */
export type OtherLabels = 'keep' | 'drop';

/** The thresholds of the service on the bench: the same as its sliders, undone by the same button. */
export interface BenchThresholds {
  /** whether `label_confidences` is in force */
  readonly perLabel: boolean;
  readonly default: number;
  /** +Infinity: nothing of the label is kept */
  thresholdOf(label: string): number;
  setDefault(value: number, drag?: boolean): void;
  setLabel(label: string, value: number, drag?: boolean): void;
  /**
   * Sets several labels at once, as one step of undo. The other labels keep their present thresholds, or are dropped:
   * the machine drops every label that is not listed.
   */
  setEach(
    values: Readonly<Record<string, number>>,
    others?: OtherLabels,
    evidence?: Omit<ThresholdEvidence, 'service'>,
  ): void;
  /** What the thresholds of all services stand on. */
  readonly evidence: readonly ThresholdEvidence[];
  /** With what that is compared. */
  readonly present: PresentSetup;
  /** A drag has ended: the moment for an undo step. */
  settle(): void;
}

/** The thresholds at which a run is shown. */
export interface TunedThresholds extends BenchThresholds {
  /** false: the bench has another model or setup than the run, so these thresholds stay and none is written to the bench */
  readonly isOfBench: boolean;
}
