import type { FrameResult } from '../../rpc/vision-protocol.ts';
import { ScoreHistogram } from '../../vision/filter/histogram.ts';
import { labelInterner } from '../../vision/filter/intern-labels.ts';
import { serviceThresholds, thresholdsByTable, type ServiceFilterRule } from '../../vision/filter/thresholds.ts';

/** Kept over seen, of one label or of all. */
export interface KeptCount {
  readonly kept: number;
  readonly seen: number;
}

interface CountedRow {
  readonly labels: readonly string[];
}

const BIN_COUNT = 50;

/** The raw scores of the frames in memory, counted as frames come and go instead of all anew. */
export class SeenScores {
  readonly #histogram = new ScoreHistogram(BIN_COUNT);
  readonly #intern = labelInterner();
  readonly #counted = new Map<FrameResult, CountedRow>();
  readonly #firstSeen = new Set<string>();

  get frameCount(): number {
    return this.#counted.size;
  }

  /** Brings the counts in step with the frames in memory. */
  update(results: readonly FrameResult[]): void {
    const present = new Set(results);
    for (const result of this.#counted.keys()) {
      if (present.has(result)) continue;
      this.#count(result, -1);
      this.#counted.delete(result);
    }
    for (const result of results) {
      if (this.#counted.has(result)) continue;
      const raw = result.detections ?? result.classifications;
      this.#counted.set(result, { labels: this.#intern(raw?.labels ?? []) });
      this.#count(result, 1);
    }
  }

  /** Labels that the frames carry, in the order in which they first came. */
  labels(): readonly string[] {
    const seen = new Map(this.#histogram.labels().map(({ label, count }) => [label, count]));
    for (const label of seen.keys()) this.#firstSeen.add(label);
    return [...this.#firstSeen].filter((label) => seen.has(label));
  }

  /** Scores by bin: of a label without regard to case, of all labels together for null. */
  bins(label: string | null): Uint32Array {
    const wanted = label?.toLowerCase();
    const matching = this.labels().filter((seen) => wanted === undefined || seen.toLowerCase() === wanted);
    const bins = new Uint32Array(BIN_COUNT);
    for (const seen of matching) this.#histogram.scoresOf(seen).bins.forEach((count, bin) => (bins[bin]! += count));
    return bins;
  }

  /** How many raw rows a rule keeps, by label in lower case. NaN scores count as seen and dropped. */
  counts(rule: ServiceFilterRule): ReadonlyMap<string, KeptCount> {
    const thresholdsOf = thresholdsByTable((labels) => serviceThresholds(labels, rule));
    const kept = new Map<readonly string[], Uint32Array>();
    const seen = new Map<readonly string[], Uint32Array>();
    for (const [result, { labels }] of this.#counted) {
      const thresholds = thresholdsOf(labels);
      const keptHere = columnOf(kept, labels);
      const seenHere = columnOf(seen, labels);
      const { detections, classifications } = result;
      const rows = detections?.count ?? classifications?.score.length ?? 0;
      const score = detections?.score ?? classifications?.score;
      for (let row = 0; row < rows; row++) {
        const index = detections ? detections.labelIndex[row]! : row;
        seenHere[index]!++;
        if (score![row]! >= thresholds[index]!) keptHere[index]!++;
      }
    }
    return byLabel(kept, seen);
  }

  #count(result: FrameResult, sign: 1 | -1): void {
    if (result.detections) this.#histogram.addDetections(result.detections, sign);
    else if (result.classifications) this.#histogram.addClassifications(result.classifications, sign);
  }
}

function columnOf(columns: Map<readonly string[], Uint32Array>, labels: readonly string[]): Uint32Array {
  const known = columns.get(labels);
  if (known) return known;
  const column = new Uint32Array(labels.length);
  columns.set(labels, column);
  return column;
}

function byLabel(
  kept: ReadonlyMap<readonly string[], Uint32Array>,
  seen: ReadonlyMap<readonly string[], Uint32Array>,
): ReadonlyMap<string, KeptCount> {
  const totals = new Map<string, { kept: number; seen: number }>();
  for (const [labels, column] of seen) {
    labels.forEach((label, index) => {
      if (column[index] === 0) return;
      const key = label.toLowerCase();
      const total = totals.get(key) ?? { kept: 0, seen: 0 };
      total.seen += column[index]!;
      total.kept += kept.get(labels)![index]!;
      totals.set(key, total);
    });
  }
  return totals;
}
