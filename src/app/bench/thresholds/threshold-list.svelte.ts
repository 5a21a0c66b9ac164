import { arrangeRows, inOrderOf, type RowMeasures, type RowOrder } from './arrange-rows.ts';
import { isOneOf, onceEach, without } from '../results/label-lists.ts';
import type { LabelRow, ThresholdsState } from './thresholds-state.svelte.ts';

/** The labels of the frame on the stage. */
export interface LabelsOnFrame {
  /** the highest score of each label, by label in lower case */
  readonly here: () => ReadonlyMap<string, number>;
  /** whether anything of a label is kept */
  readonly isKept: (label: string) => boolean;
}

/** What keeps the order of the list: a pointer over it, or the keyboard's focus. */
type Holder = 'pointer' | 'keyboard';

/** Which thresholds are listed, in what order, and which of them are selected to be set together. */
export class ThresholdList {
  readonly #thresholds: ThresholdsState;
  readonly #onFrame: LabelsOnFrame;
  readonly nameOf: (label: string) => string;
  /** text that a label's name must contain to be listed */
  public wanted = $state('');
  public order = $state<RowOrder>('came');
  /** Labels to be set together, as they were written when they were selected. */
  #chosen = $state.raw<readonly string[]>([]);
  /** The rows while somebody points at the list: they must not move then. */
  #held = $state.raw<readonly LabelRow[] | null>(null);
  #holders: readonly Holder[] = [];
  #tuned = $state<string | null>(null);

  /** @param nameOf the text that is shown for a label */
  constructor(thresholds: ThresholdsState, onFrame: LabelsOnFrame, nameOf: (label: string) => string) {
    this.#thresholds = thresholds;
    this.#onFrame = onFrame;
    this.nameOf = nameOf;
  }

  readonly #arranged: readonly LabelRow[] = $derived.by(() =>
    arrangeRows(this.#thresholds.rows, this.order, this.#measures),
  );

  readonly #ordered: readonly LabelRow[] = $derived.by(() =>
    this.#held ? inOrderOf(this.#held, this.#thresholds.rows) : this.#arranged,
  );

  readonly rows: readonly LabelRow[] = $derived.by(() => {
    const wanted = this.wanted.trim().toLowerCase();
    return wanted
      ? this.#ordered.filter(({ label }) => this.nameOf(label).toLowerCase().includes(wanted))
      : this.#ordered;
  });

  get #measures(): RowMeasures {
    const here = this.#onFrame.here();
    const { scores } = this.#thresholds.seen;
    const wins = scores.wins();
    return {
      hereOf: (label) => here.get(label.toLowerCase()),
      isKept: this.#onFrame.isKept,
      bestOf: (label) => scores.bestOf(label),
      winsOf: wins.size > 0 ? (label) => wins.get(label.toLowerCase()) ?? 0 : null,
    };
  }

  isOnFrame(label: string): boolean {
    return this.#onFrame.here().has(label.toLowerCase());
  }

  /**
   * Keeps the order of the rows until it is released: otherwise they would move away from the pointer with every
   * frame.
   */
  hold(by: Holder): void {
    if (!this.#holders.includes(by)) this.#holders = [...this.#holders, by];
    this.#held ??= this.#arranged;
  }

  letGo(by: Holder): void {
    this.#holders = this.#holders.filter((holder) => holder !== by);
    if (this.#holders.length === 0) this.#held = null;
  }

  sortBy(order: RowOrder): void {
    this.order = order;
    this.#held = this.#holders.length > 0 ? this.#arranged : null;
  }

  /** The highlighted row: that of the requested label while it is listed. */
  readonly tuned: LabelRow | null = $derived.by(
    () => this.#thresholds.rows.find(({ label }) => label.toLowerCase() === this.#tuned) ?? null,
  );

  /** Highlights the row of a label; null: none. */
  tune(label: string | null): void {
    this.#tuned = label?.toLowerCase() ?? null;
  }

  readonly #isChosen: (label: string) => boolean = $derived.by(() => isOneOf(this.#chosen));

  isChosen(label: string): boolean {
    return this.#isChosen(label);
  }

  /** The selected labels that exist, in their present spelling. */
  readonly chosen: readonly string[] = $derived.by(() => this.#thresholds.labels.filter(this.#isChosen));

  /** Whether every listed row is selected. */
  readonly allChosen: boolean = $derived.by(
    () => this.rows.length > 0 && this.rows.every(({ label }) => this.#isChosen(label)),
  );

  choose(labels: readonly string[], isChosen: boolean): void {
    this.#chosen = isChosen ? onceEach([...this.#chosen, ...labels]) : without(this.#chosen, labels);
  }

  chooseNone(): void {
    this.#chosen = [];
  }
}
