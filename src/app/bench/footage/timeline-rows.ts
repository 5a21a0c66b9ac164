import type { LabelTimeline } from '../../../evidence/footage/timeline.ts';

/** Where nothing is kept of any label, how many have a row all the same: their thresholds can be dragged there. */
const surestRows = 3;

/**
 * Which labels of a run have a row: those of which something is kept, or was, so that a row stays under the threshold that
 * is dragged in it. A detector has a score for each of its labels on some frame, and most of them are never there.
 */
export class TimelineRows {
  readonly #shown = new Set<string>();

  /** @returns the labels with a row, in their order, and the others, the most confident first */
  part(timelines: readonly LabelTimeline[]): {
    readonly shown: readonly LabelTimeline[];
    readonly others: readonly LabelTimeline[];
  } {
    for (const { label, kept } of timelines) if (kept > 0) this.#shown.add(label);
    const shown = timelines.filter(({ label }) => this.#shown.has(label));
    const others = timelines.filter(({ label }) => !this.#shown.has(label));
    const best = new Map(others.map((one) => [one, bestOf(one)])); // each once: a comparison would read two timelines
    const rest = others.toSorted((a, b) => best.get(b)! - best.get(a)!);
    if (shown.length > 0) return { shown, others: rest };
    return { shown: rest.slice(0, surestRows), others: rest.slice(surestRows) };
  }
}

const bestOf = ({ best }: LabelTimeline): number => best.reduce((most, score) => (score > most ? score : most), 0);
