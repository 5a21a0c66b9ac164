import type { RawClassifications, RawDetections } from '../results/detections.ts';
import { countScore, scoreBinCount } from './score-bins.ts';

/** Raw scores of one label over the frames seen so far. */
export interface LabelScores {
  readonly label: string;
  readonly count: number;
  /** bins[i] counts scores in [i, i+1)/bins.length; 1 and above fall into the last */
  readonly bins: Uint32Array;
}

interface Counts {
  count: number;
  readonly bins: Uint32Array;
}

/** Counts raw scores by label as frames come and go. The page draws it under a threshold slider. */
export class LabelHistograms {
  readonly binCount: number;
  #byLabel = new Map<string, Counts>();
  #byTable = new WeakMap<readonly string[], (Counts | undefined)[]>();

  constructor(binCount = scoreBinCount) {
    this.binCount = binCount;
  }

  /** Adds a frame's rows, or takes them away again. NaN scores are not counted. */
  addDetections(detections: Pick<RawDetections, 'count' | 'labels' | 'labelIndex' | 'score'>, sign: 1 | -1 = 1): void {
    const table = this.#countsOf(detections.labels);
    for (let row = 0; row < detections.count; row++) {
      const index = detections.labelIndex[row]!;
      this.#add((table[index] ??= this.#countsFor(detections.labels[index]!)), detections.score[row]!, sign);
    }
  }

  addClassifications(classifications: RawClassifications, sign: 1 | -1 = 1): void {
    const table = this.#countsOf(classifications.labels);
    classifications.labels.forEach((label, index) =>
      this.#add((table[index] ??= this.#countsFor(label)), classifications.score[index]!, sign),
    );
  }

  /** Labels seen, most frequent first, then by name. */
  labels(): LabelScores[] {
    return [...this.#byLabel]
      .filter(([, { count }]) => count > 0)
      .map(([label, { count, bins }]) => ({ label, count, bins }))
      .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
  }

  /** One label's scores; all zero where it was never seen. */
  scoresOf(label: string): LabelScores {
    const { count, bins } = this.#byLabel.get(label) ?? { count: 0, bins: new Uint32Array(this.binCount) };
    return { label, count, bins };
  }

  clear(): void {
    this.#byLabel = new Map();
    this.#byTable = new WeakMap();
  }

  #add(counts: Counts, score: number, sign: 1 | -1): void {
    if (countScore(score, counts.bins, sign)) counts.count += sign;
  }

  #countsFor(label: string): Counts {
    const known = this.#byLabel.get(label);
    if (known) return known;
    const counts: Counts = { count: 0, bins: new Uint32Array(this.binCount) };
    this.#byLabel.set(label, counts);
    return counts;
  }

  #countsOf(labels: readonly string[]): (Counts | undefined)[] {
    const known = this.#byTable.get(labels);
    if (known) return known;
    const table: (Counts | undefined)[] = [];
    this.#byTable.set(labels, table);
    return table;
  }
}
