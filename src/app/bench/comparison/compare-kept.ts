import { compareDetections, type DetectionChanges } from '../../../evidence/evaluation/face/comparison.ts';
import type { DetectionSet } from '../../../evidence/evaluation/face/sets.ts';
import type { RawDetections } from '../../../machine/vision/face/results.ts';
import { detectionsOnSource, type TracedStage } from '../../../machine/vision/face/traces.ts';
import { rowsOf } from '../../../machine/vision/face/filters.ts';

/** The boxes of one configuration that its filter keeps, with the way of its pictures back to the source. */
export interface KeptBoxes {
  readonly detections: RawDetections;
  /** rows of the detections */
  readonly kept: Uint32Array;
  readonly stages: readonly TracedStage[];
}

export interface KeptChanges {
  readonly counts: DetectionChanges['counts'];
  /** rows of the second one's detections that differ from the first one's boxes */
  readonly changedRows: ReadonlySet<number>;
}

/** Pairing compares each box with each: more would take longer than a frame of a stream. */
export const mostCompared = 300;

/**
 * What becomes of the boxes of one configuration in another, on the source picture. Labels are compared without their
 * case, as the filter does. null: there are too many boxes to compare while frames follow each other.
 */
export function compareKept(first: KeptBoxes, second: KeptBoxes): KeptChanges | null {
  if (Math.max(first.kept.length, second.kept.length) > mostCompared) return null;
  const numbers = new Map<string, number>();
  const [firstSet, secondSet] = [setOf(first, numbers), setOf(second, numbers)];
  const { counts, changes } = compareDetections(firstSet.set, secondSet.set);
  const changed = changes.filter((change) => change.second >= 0).map((change) => secondSet.rows[change.second]!);
  return { counts, changedRows: new Set(changed) };
}

function setOf(
  { detections, kept, stages }: KeptBoxes,
  numbers: Map<string, number>,
): { readonly set: DetectionSet; readonly rows: readonly number[] } {
  const chosen = rowsOf(detections, kept);
  const { row, box } = detectionsOnSource(chosen, stages);
  const numberOf = (label: string): number => {
    const key = label.toLowerCase();
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  const label = Uint32Array.from(row, (at) => numberOf(chosen.labels[chosen.labelIndex[at]!]!));
  const score = Float64Array.from(row, (at) => chosen.score[at]!);
  const set = { count: row.length, image: new Uint32Array(row.length), label, box: Float64Array.from(box), score };
  return { set, rows: Array.from(row, (at) => kept[at]!) };
}
