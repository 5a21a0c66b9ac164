import type { BoxRows } from '../interpretations/box-rows.ts';
import { distinctRows, overlap } from '../interpretations/distinct-rows.ts';

/** A box that a person drew or accepted: what is really there. */
export interface DrawnBox {
  /** xMin, yMin, xMax, yMax, parts of the frame */
  readonly box: readonly [xMin: number, yMin: number, xMax: number, yMax: number];
  /** '' = any */
  readonly label: string;
}

/** How well rows on the frame find the drawn boxes, 0..1: the overlap of the best for each, half of it under another label. */
export function matchOf(drawn: readonly DrawnBox[], rows: BoxRows, labels: readonly string[] | null): number {
  const largest = rows.score.reduce((most, score) => Math.max(most, score), 0);
  const seen = distinctRows(rows, Math.max(0.02, largest / 4));
  const found = drawn.map(({ box, label }) => {
    let best = 0;
    for (const row of seen) {
      const name = labels?.[rows.category[row]!] ?? String(rows.category[row]);
      const isNamed = label === '' || name.toLowerCase() === label.toLowerCase();
      best = Math.max(best, overlap(box, rows.box, 0, 4 * row) * (isNamed ? 1 : 0.5));
    }
    return best;
  });
  return found.reduce((sum, value) => sum + value, 0) / Math.max(1, drawn.length);
}
