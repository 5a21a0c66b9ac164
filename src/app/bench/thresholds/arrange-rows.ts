import type { LabelRow } from './thresholds-state.svelte.ts';

/** By what the thresholds are sorted: as their labels came, by name, by how many were kept, by the highest score. */
export type RowOrder = 'came' | 'name' | 'count' | 'score';

/** What rows are sorted by beside what they show themselves. */
export interface RowMeasures {
  /** the highest score of a label on the frame on the stage, undefined = it is not there */
  readonly hereOf: (label: string) => number | undefined;
  /** whether something of a label is kept on that frame */
  readonly isKept: (label: string) => boolean;
  /** the highest score of a label over the frames seen, 0 = none */
  readonly bestOf: (label: string) => number;
  /** in how many frames a classifier was surest of a label, null = no classifier */
  readonly winsOf: ((label: string) => number) | null;
}

/** Rows of labels that are kept on the frame first, then of others on it, then the rest; each part in an order, ties as they came. */
export function arrangeRows(rows: readonly LabelRow[], order: RowOrder, measures: RowMeasures): readonly LabelRow[] {
  const compare = comparison(order, measures);
  const partOf = ({ label }: LabelRow): number => {
    if (measures.isKept(label)) return 0;
    return measures.hereOf(label) === undefined ? 2 : 1;
  };
  return rows.toSorted((a, b) => partOf(a) - partOf(b) || compare(a, b));
}

/** Rows in the order of other rows of the same labels; those that are new come last. */
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
      // A classifier gives every label a score on every frame: what tells is how often it was the surest.
      if (winsOf) return (a, b) => winsOf(b.label) - winsOf(a.label) || highest(b) - highest(a);
      return (a, b) => b.counts.kept - a.counts.kept || b.counts.seen - a.counts.seen;
    case 'score':
      return (a, b) => highest(b) - highest(a);
  }
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
