/** The thresholds of the service on the bench: the same as its sliders, undone by the same button. */
export interface TunedThresholds {
  /** whether `label_confidences` is in force */
  readonly perLabel: boolean;
  readonly default: number;
  /** +Infinity: nothing of the label is kept */
  thresholdOf(label: string): number;
  setDefault(value: number, drag?: boolean): void;
  setLabel(label: string, value: number, drag?: boolean): void;
  /** Sets several labels at once, as one step of undo. */
  setEach(values: Readonly<Record<string, number>>): void;
  /** A drag has ended: the moment for an undo step. */
  settle(): void;
}
