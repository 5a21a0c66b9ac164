import type { SeenFrame } from '../session/seen-frame.ts';
import type { RawClassifications } from '../../../machine/vision/face/results.ts';
import {
  LabelHistograms,
  scoreBinCount,
  type ServiceFilterRule,
  serviceThresholds,
  sumBins,
} from '../../../machine/vision/face/filters.ts';
import { ScoreColumn } from './score-column.ts';

/** Numbers of kept and of seen rows, of one label or of all. */
export interface KeptCount {
  readonly kept: number;
  readonly seen: number;
}

/** The raw scores of the frames in memory, counted incrementally as frames come and go. */
export class SeenScores {
  readonly #histogram = new LabelHistograms();
  /** in the order in which they were added to the columns */
  readonly #counted = new Set<SeenFrame>();
  /** by label in lower case */
  readonly #columns = new Map<string, ScoreColumn>();
  readonly #firstSeen = new Set<string>();
  #labels: readonly string[] = [];
  /** spellings of the labels seen, by label in lower case */
  #spellings: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #bins = new Map<string | null, Uint32Array>();
  readonly #wins = new Map<string, number>();

  get frameCount(): number {
    return this.#counted.size;
  }

  /** Updates the counts to the frames in memory. */
  update(results: readonly SeenFrame[]): void {
    const present = new Set(results);
    let inOrder = true;
    for (const result of this.#counted) {
      if (present.has(result)) continue;
      inOrder &&= this.#counted.values().next().value === result;
      if (inOrder) this.#eachRow(result, (column) => column.shift());
      this.#histogramOf(result, -1);
      this.#counted.delete(result);
    }
    if (!inOrder) this.#fillColumns();
    for (const result of results) {
      if (this.#counted.has(result)) continue;
      this.#counted.add(result);
      this.#histogramOf(result, 1);
      this.#eachRow(result, (column, score) => column.push(score));
    }
    this.#bins.clear();
    this.#labels = this.#seenLabels();
    this.#spellings = byLowerCase(this.#labels);
  }

  /** Labels of the frames, in the order of first occurrence. */
  labels(): readonly string[] {
    return this.#labels;
  }

  /** Scores by bin: of one label ignoring case, or of all labels together for null. */
  bins(label: string | null): Uint32Array {
    const wanted = label?.toLowerCase() ?? null;
    const known = this.#bins.get(wanted);
    if (known) return known;
    const labels = wanted === null ? this.#labels : (this.#spellings.get(wanted) ?? []);
    const bins = sumBins(labels.map((seen) => this.#histogram.scoresOf(seen).bins));
    this.#bins.set(wanted, bins);
    return bins;
  }

  /** How many raw rows a rule keeps, by label in lower case. NaN scores count as seen and dropped. */
  counts(rule: ServiceFilterRule): ReadonlyMap<string, KeptCount> {
    const labels = [...this.#columns.keys()];
    const thresholds = serviceThresholds(labels, rule);
    const counts = new Map<string, KeptCount>();
    labels.forEach((label, at) => {
      const column = this.#columns.get(label)!;
      if (column.length > 0) counts.set(label, { kept: column.countAtLeast(thresholds[at]!), seen: column.length });
    });
    return counts;
  }

  /** The highest score of a label, rounded to a bin; 0: none. */
  bestOf(label: string): number {
    return (this.bins(label).findLastIndex((count) => count > 0) + 1) / scoreBinCount;
  }

  /**
   * In how many frames each label was the classifier's best, by label in lower case; empty without a classifier.
   */
  wins(): ReadonlyMap<string, number> {
    return this.#wins;
  }

  /** A frame other than the oldest was removed: rare enough to count again from the start. */
  #fillColumns(): void {
    this.#columns.clear();
    for (const result of this.#counted) this.#eachRow(result, (column, score) => column.push(score));
  }

  #eachRow({ detections, classifications }: SeenFrame, visit: (column: ScoreColumn, score: number) => void): void {
    const columns = (detections ?? classifications)?.labels.map((label) => this.#columnOf(label)) ?? [];
    if (!detections) return classifications?.score.forEach((score, row) => visit(columns[row]!, score));
    const { count, labelIndex, score } = detections;
    for (let row = 0; row < count; row++) visit(columns[labelIndex[row]!]!, score[row]!);
  }

  #columnOf(label: string): ScoreColumn {
    const key = label.toLowerCase();
    const known = this.#columns.get(key);
    if (known) return known;
    const column = new ScoreColumn();
    this.#columns.set(key, column);
    return column;
  }

  #seenLabels(): readonly string[] {
    const seen = new Set(this.#histogram.labels().map(({ label }) => label));
    for (const label of seen) this.#firstSeen.add(label);
    return [...this.#firstSeen].filter((label) => seen.has(label));
  }

  #histogramOf(result: SeenFrame, sign: 1 | -1): void {
    if (result.detections) this.#histogram.addDetections(result.detections, sign);
    else if (result.classifications) {
      this.#histogram.addClassifications(result.classifications, sign);
      const winner = surestOf(result.classifications);
      if (winner !== null) this.#wins.set(winner, (this.#wins.get(winner) ?? 0) + sign);
    }
  }
}

/** The label with the highest score, the first of equal ones; null: no score is a number. */
function surestOf({ labels, score }: RawClassifications): string | null {
  const highest = score.reduce((most, value) => (value > most ? value : most), -Infinity);
  return labels[score.indexOf(highest)]?.toLowerCase() ?? null;
}

function byLowerCase(labels: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, string[]>();
  for (const label of labels) {
    const key = label.toLowerCase();
    const known = spellings.get(key);
    if (known) known.push(label);
    else spellings.set(key, [label]);
  }
  return spellings;
}
