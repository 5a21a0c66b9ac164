import { arrangeRows, inOrderOf, type RowMeasures, type RowOrder } from './arrange-rows.ts';
import { isOneOf, onceEach, without } from '../results/label-lists.ts';
import type { LabelRow, ThresholdsState } from './thresholds-state.svelte.ts';

/** What is said of the frame on the stage. */
export interface LabelsOnFrame {
  /** the highest score of each label, by label in lower case */
  readonly here: () => ReadonlyMap<string, number>;
  /** whether something of a label is kept */
  readonly isKept: (label: string) => boolean;
}

/** By what the list is held: a pointer in it, or the keyboard's focus. */
type Holder = 'pointer' | 'keyboard';

/** Which thresholds are listed, in what order, and which of them are chosen to be set together. */
export class ThresholdList {
  readonly #thresholds: ThresholdsState;
  readonly #onFrame: LabelsOnFrame;
  readonly nameOf: (label: string) => string;
  /** what the name of a label must hold to be listed */
  wanted = $state('');
  order = $state<RowOrder>('came');
  /** To be set together, as they were written when they were chosen. */
  #chosen = $state.raw<readonly string[]>([]);
  /** While somebody points at the list its rows stay where they are. */
  #held = $state.raw<readonly LabelRow[] | null>(null);
  #holders: readonly Holder[] = [];
  #tuned = $state<string | null>(null);

  /**
   * @param nameOf what is shown for a label
   */
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

  /** Keeps the rows in their places until it is let go: they would jump from under the pointer with every frame. */
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

  /** The row that is marked: of the label that was asked for while it is listed. */
  readonly tuned: LabelRow | null = $derived.by(
    () => this.#thresholds.rows.find(({ label }) => label.toLowerCase() === this.#tuned) ?? null,
  );

  /** Marks the row of a label; null = of none. */
  tune(label: string | null): void {
    this.#tuned = label?.toLowerCase() ?? null;
  }

  readonly #isChosen: (label: string) => boolean = $derived.by(() => isOneOf(this.#chosen));

  isChosen(label: string): boolean {
    return this.#isChosen(label);
  }

  /** The chosen labels that are there, as they are written now. */
  readonly chosen: readonly string[] = $derived.by(() => this.#thresholds.labels.filter(this.#isChosen));

  /** Every row that is listed now is chosen. */
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
