import {
  serviceFilter,
  type ServiceFilter,
  type ServiceFilterRule,
  topClassifications,
} from '../../machine/vision/face/filters.ts';
import { keptResults, type FootageFrame, type KeptResults } from './footage-frame.ts';

/** The first frame that shows another number of boxes of some labels, or another class, than was there before. */
export interface Change {
  readonly index: number;
  readonly timeMs: number;
  readonly name: string;
  /** how many of each label that changes there are from here on; a classifier's best class counts as one */
  readonly counts: LabelCounts;
  readonly before: LabelCounts;
}

export type LabelCounts = ReadonlyMap<string, number>;

/** What the page and the command line take where a person says nothing else. */
export const usualHoldMs = 500;

/** A label's new count, and the frame that showed it first. */
interface PendingCount extends Pick<Change, 'index' | 'timeMs' | 'name'> {
  readonly count: number;
}

/**
 * Finds the frames at which the counts of kept labels change, each label by itself: one that flickers hides no other. A
 * count that does not last is flicker and no change: a change is told once the new count has lasted for `holdMs` (0: at
 * once). Frames are added in order of time.
 */
export class ChangeFinder {
  readonly #filter: ServiceFilter;
  readonly #holdMs: number;
  readonly #held = new Map<string, number>();
  readonly #pending = new Map<string, PendingCount>();

  constructor(rule: ServiceFilterRule, holdMs: number) {
    this.#filter = serviceFilter(rule);
    this.#holdMs = holdMs;
  }

  /** @returns the changes that this frame settles, which earlier frames may have begun, in order. Frames that failed say nothing. */
  add(frame: FootageFrame): readonly Change[] {
    if (frame.failure) return [];
    const counts = labelCounts(keptResults(frame, this.#filter));
    const { index, timeMs, name } = frame;
    const settled: [label: string, pending: PendingCount][] = [];
    for (const label of new Set([...this.#held.keys(), ...counts.keys(), ...this.#pending.keys()])) {
      const count = counts.get(label) ?? 0;
      let pending = this.#pending.get(label);
      if (pending?.count !== count) pending = { index, timeMs, name, count };
      if (count === (this.#held.get(label) ?? 0)) this.#pending.delete(label);
      else if (timeMs - pending.timeMs < this.#holdMs) this.#pending.set(label, pending);
      else settled.push([label, pending]);
    }
    return this.#settle(settled);
  }

  /** Labels that changed at one frame are one change. */
  #settle(settled: readonly (readonly [label: string, pending: PendingCount])[]): readonly Change[] {
    const changes = new Map<number, Change & Record<'counts' | 'before', Map<string, number>>>();
    for (const [label, { index, timeMs, name, count }] of settled) {
      const change = changes.get(index) ?? { index, timeMs, name, counts: new Map(), before: new Map() };
      changes.set(index, change);
      change.before.set(label, this.#held.get(label) ?? 0);
      change.counts.set(label, count);
      this.#held.set(label, count);
      this.#pending.delete(label);
    }
    return [...changes.values()].sort((a, b) => a.index - b.index);
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
