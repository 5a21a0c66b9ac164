import type { BoxRows } from './box-rows.ts';
import { distinctRows, overlap } from './suppress.ts';

/**
 * How far the boxes of a frame and those of its mirror image are the same things, 0..1: a model that sees a thing sees it
 * in the mirror too, and only the right interpretation puts it where the mirror has it. Weighted by score; null = no boxes.
 */
export function agreement(rows: BoxRows, mirrored: BoxRows): number | null {
  return agreementWith(rows, mirroredBack(mirrored));
}

/** The same with another view of the frame, its boxes brought back to where they lie in the frame itself. */
function agreementWith(rows: BoxRows, back: BoxRows): number | null {
  const confirmed = confirmedBy(rows, back);
  return confirmed && confirmed.share;
}

/** How much of what is seen in a frame another view of it shows in the same place. */
export interface Confirmed {
  /** 0..1, weighted by score */
  readonly share: number;
  /** how much that is: things, each by the square of its score and by how well the views agree about it */
  readonly things: number;
}

/** What another view confirms, its boxes brought back to where they lie in the frame itself; null = the frame has no boxes. */
export function confirmedBy(rows: BoxRows, back: BoxRows): Confirmed | null {
  const least = 0.5 * rows.score.reduce((most, score) => Math.max(most, score), 0);
  const here = distinctRows(rows, Math.max(least, 0.05), mostCompared);
  if (here.length === 0) return null;
  const there = distinctRows(back, Math.max(least / 2, 0.025), 2 * mostCompared);
  let [found, all, things] = [0, 0, 0];
  for (const row of here) {
    const score = Math.min(1, rows.score[row]!);
    all += score;
    let best = 0;
    for (const other of there) {
      if (back.category[other] === rows.category[row])
        best = Math.max(best, overlap(rows.box, back.box, 4 * row, 4 * other));
    }
    found += score * best;
    things += score * score * best;
  }
  return all > 0 ? { share: found / all, things } : null;
}

const mostCompared = 20;

/** The rows of a mirror image where they lie in the picture itself. */
export function mirroredBack(rows: BoxRows): BoxRows {
  const box = rows.box.slice();
  for (let i = 0; i < box.length; i += 4) {
    box[i] = 1 - rows.box[i + 2]!;
    box[i + 2] = 1 - rows.box[i]!;
  }
  return { ...rows, box };
}
