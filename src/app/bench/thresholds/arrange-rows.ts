import type { LabelRow } from './thresholds-state.svelte.ts';

/**
 * How thresholds are sorted: by first occurrence of their labels, by name, by the number of kept rows, by the
 * highest score.
 */
export type RowOrder = 'came' | 'name' | 'count' | 'score';

/** Measures for sorting that a row itself does not contain. */
export interface RowMeasures {
  /** the highest score of a label on the frame on the stage; undefined: it is not on it */
  readonly hereOf: (label: string) => number | undefined;
  /** whether anything of a label is kept on that frame */
  readonly isKept: (label: string) => boolean;
  /** the highest score of a label over the frames seen; 0: none */
  readonly bestOf: (label: string) => number;
  /** in how many frames a label was the classifier's best; null: no classifier */
  readonly winsOf: ((label: string) => number) | null;
}

/**
 * Sorts rows: labels that are kept on the frame first, then others on it, then the rest; within each part by
 * `order`, ties by first occurrence.
 */
export function arrangeRows(rows: readonly LabelRow[], order: RowOrder, measures: RowMeasures): readonly LabelRow[] {
  const compare = comparison(order, measures);
  const partOf = ({ label }: LabelRow): number => {
    if (measures.isKept(label)) return 0;
    return measures.hereOf(label) === undefined ? 2 : 1;
  };
  return rows.toSorted((a, b) => partOf(a) - partOf(b) || compare(a, b));
}

/** Keeps the order of earlier rows with the same labels; new rows come last. */
export function inOrderOf(earlier: readonly LabelRow[], rows: readonly LabelRow[]): readonly LabelRow[] {
  const ranks = new Map(earlier.map(({ label }, rank) => [label, rank]));
  const rankOf = ({ label }: LabelRow): number => ranks.get(label) ?? earlier.length;
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function comparison(order: RowOrder, measures: RowMeasures): (a: LabelRow, b: LabelRow) => number {
  const { hereOf, bestOf, winsOf } = measures;
  const highest = ({ label }: LabelRow): number => hereOf(label) ?? bestOf(label);
  switch (order) {
    case 'came':
      return () => 0;
    case 'name':
      return (a, b) => byName.compare(a.label, b.label);
    case 'count':
      // A classifier scores every label on every frame: what matters is how often a label was the best.
      if (winsOf) return (a, b) => winsOf(b.label) - winsOf(a.label) || highest(b) - highest(a);
      return (a, b) => b.counts.kept - a.counts.kept || b.counts.seen - a.counts.seen;
    case 'score':
      return (a, b) => highest(b) - highest(a);
  }
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
