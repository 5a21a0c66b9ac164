import { topClassifications } from '../../machine/vision/filter/filter-classifications.ts';
import { serviceFilter, type ServiceFilter } from '../../machine/vision/filter/service-filter.ts';
import type { ServiceFilterRule } from '../../machine/vision/filter/thresholds.ts';
import { keptResults, type FootageFrame, type KeptResults } from './footage-frame.ts';

/** The first frame that shows another number of boxes of some label, or another class, than the frames before. */
export interface Change {
  readonly index: number;
  readonly timeMs: number;
  readonly name: string;
  /** how many of each label from here on; a classifier's best class counts as one */
  readonly counts: LabelCounts;
  readonly before: LabelCounts;
}

export type LabelCounts = ReadonlyMap<string, number>;

/** What the page and the command line take where a person says nothing else. */
export const usualHoldMs = 500;

/**
 * Finds the frames at which the counts of kept labels change. A count that does not last is flicker and no change: a
 * change is told once the new counts have lasted for `holdMs` (0: at once). Frames are added in order of time.
 */
export class ChangeFinder {
  readonly #filter: ServiceFilter;
  readonly #holdMs: number;
  #held: LabelCounts = new Map();
  #pending: Change | null = null;

  constructor(rule: ServiceFilterRule, holdMs: number) {
    this.#filter = serviceFilter(rule);
    this.#holdMs = holdMs;
  }

  /** @returns the change that this frame settles, which an earlier frame may have begun; null: none. Frames that failed say nothing. */
  add(frame: FootageFrame): Change | null {
    if (frame.failure) return null;
    const counts = labelCounts(keptResults(frame, this.#filter));
    if (isEqual(counts, this.#held)) {
      this.#pending = null;
      return null;
    }
    const { index, timeMs, name } = frame;
    if (!this.#pending || !isEqual(counts, this.#pending.counts))
      this.#pending = { index, timeMs, name, counts, before: this.#held };
    if (timeMs - this.#pending.timeMs < this.#holdMs) return null;
    const change = this.#pending;
    this.#held = counts;
    this.#pending = null;
    return change;
  }
}

/**
 * @param change of a `ChangeFinder`
 * @returns what differs, label by label: "car 0 → 2, person 1 → 0"
 */
export function changeText({ counts, before }: Pick<Change, 'counts' | 'before'>): string {
  const labels = [...new Set([...before.keys(), ...counts.keys()])].sort();
  return labels
    .map((label) => [label, before.get(label) ?? 0, counts.get(label) ?? 0] as const)
    .filter(([, was, is]) => was !== is)
    .map(([label, was, is]) => `${label} ${was} → ${is}`)
    .join(', ');
}

function labelCounts({ detections, classifications }: KeptResults): LabelCounts {
  const counts = new Map<string, number>();
  for (const { label } of [...detections, ...topClassifications(classifications, 1)])
    counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

function isEqual(a: LabelCounts, b: LabelCounts): boolean {
  if (a.size !== b.size) return false;
  for (const [label, count] of a) if (b.get(label) !== count) return false;
  return true;
}
