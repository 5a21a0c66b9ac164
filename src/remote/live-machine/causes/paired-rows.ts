import type { Classification, Detection } from '../../../machine/vision/face/results.ts';
import { sameModelTolerance } from '../compare-answers.ts';
import type { FrameAnswer } from '../live-machine.ts';

export type Row = Detection | Classification;

/** A row before any filter, and whether the machine has it too. */
export interface PairedRow {
  readonly row: Row;
  /** null: the machine dropped it */
  readonly there: Row | null;
}

export const rowsOf = ({ detections, classifications }: FrameAnswer): readonly Row[] => [
  ...(detections ?? []),
  ...(classifications ?? []),
];

/**
 * Finds each of the machine's rows among all rows of the model, by place and score, and by label where `byLabel`; null: one of the
 * machine's is not among them. Both come in the model's order, which a filter keeps: so the first that fits is its partner.
 */
export function pairRows(raw: readonly Row[], there: readonly Row[], byLabel: boolean): readonly PairedRow[] | null {
  const partners = new Map<number, Row>();
  let from = 0;
  for (const row of there) {
    const fits = (at: number): boolean => !partners.has(at) && isSame(raw[at]!, row, byLabel);
    let at = from;
    while (at < raw.length && !fits(at)) at++;
    // Rows of all but equal scores may have changed places.
    if (at === raw.length) at = raw.findIndex((_, index) => fits(index));
    if (at < 0) return null;
    partners.set(at, row);
    from = Math.max(from, at);
  }
  return raw.map((row, at) => ({ row, there: partners.get(at) ?? null }));
}

function isSame(a: Row, b: Row, byLabel: boolean): boolean {
  if (Math.abs(a.score - b.score) > sameModelTolerance || (byLabel && a.label !== b.label)) return false;
  return (
    !('xMin' in a && 'xMin' in b) ||
    (['xMin', 'yMin', 'xMax', 'yMax'] as const).every((edge) => Math.abs(a[edge] - b[edge]) <= 1)
  );
}
