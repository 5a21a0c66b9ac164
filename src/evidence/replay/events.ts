import { EventFinder, type FoundEvent } from '../events/event-finder.ts';
import type { EventRule } from '../events/event-rule.ts';
import type { ResultColumns } from './result-columns.ts';

/** A label was there, by the rule; `label` is its index into the names of the columns. */
export interface LabelEvent extends FoundEvent<number> {
  /** number of the frame in which the rule was met first, whose time is `startMs` */
  readonly frame: number;
}

/**
 * Finds when each label would have been said to be there.
 * @param columns what was stored
 * @param kept numbers of the kept results, rising
 * @param rule when a label is there
 * @returns by the time at which they begin; an event ends with the last frame in which the rule is met
 * @throws RangeError for a rule that nothing, or everything, meets
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 200, 400), starts: Uint32Array.of(0, 1, 1, 2), labels: Uint32Array.of(0, 0),
 *   scores: Float64Array.of(0.6, 0.9), names: ['cat'],
 * };
 * const rule = { atLeast: 2, ofFrames: 3, beginScore: 0, endBelow: 2, quietMs: 0, gapMs: 1000 };
 * const [event] = eventsOf(columns, Uint32Array.of(0, 1), rule);
 * event; // => { frame: 2, label: 0, firstMs: 0, startMs: 400, endMs: 400, peakScore: 0.9, isTold: true }
 */
export function eventsOf(columns: ResultColumns, kept: Uint32Array, rule: EventRule): readonly LabelEvent[] {
  const { timesMs, starts, labels, scores } = columns;
  const found: { readonly frame: number; readonly event: FoundEvent<number> }[] = [];
  let [at, frame] = [0, 0];
  const finder = new EventFinder<number>(rule, (event) => found.push({ frame, event }));
  for (; frame < timesMs.length; frame++) {
    finder.enter(timesMs[frame]!);
    for (const end = starts[frame + 1]!; kept[at]! < end; at++) finder.add(labels[kept[at]!]!, scores[kept[at]!]!);
    finder.settle();
  }
  return found
    .sort((a, b) => a.frame - b.frame || a.event.label - b.event.label)
    .map(({ frame, event }) => ({ frame, ...event }));
}
