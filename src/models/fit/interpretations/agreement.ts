import type { BoxRows } from './box-rows.ts';
import { distinctRows, overlap } from './distinct-rows.ts';

/**
 * Measures how far the boxes of a frame and those of its mirror image show the same objects. A model that finds an
 * object finds it in the mirror image too, and only the right interpretation places it there correctly.
 * @param rows boxes of the frame, 0..1
 * @param mirrored boxes of the mirror image, 0..1
 * @returns 0..1, weighted by score; null: the frame has no boxes
 * @example
 * const rows = (...box: number[]) => ({ count: 1, classCount: 1, score: Float64Array.of(0.9), category: Float64Array.of(0), box: Float64Array.from(box) });
 * agreement(rows(0, 0, 0.25, 1), rows(0.75, 0, 1, 1)); // => 1
 * agreement(rows(0, 0, 0.25, 1), rows(0, 0, 0.25, 1)); // => 0
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

/**
 * Measures how much of what is seen in a frame another view of it confirms.
 * @param rows boxes of the frame, 0..1
 * @param back boxes of the other view, mapped back to the frame
 * @returns the share (0..1, weighted by score) and the amount; null: the frame has no boxes
 * @example
 * const rows = { count: 1, classCount: 1, score: Float64Array.of(0.5), category: Float64Array.of(0), box: Float64Array.of(0, 0, 1, 1) };
 * confirmedBy(rows, rows); // => { share: 1, things: 0.25 }
 */
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

/**
 * Maps boxes of a mirror image (left and right exchanged) back to the frame.
 * @param rows boxes, 0..1 of the mirror image
 * @returns the same rows, 0..1 of the frame
 * @example
 * const { box } = mirroredBack({ box: Float64Array.of(0.25, 0, 0.5, 1) });
 * [...box]; // => [0.5, 0, 0.75, 1]
 */
export function mirroredBack(rows: BoxRows): BoxRows {
  const box = rows.box.slice();
  for (let i = 0; i < box.length; i += 4) {
    box[i] = 1 - rows.box[i + 2]!;
    box[i + 2] = 1 - rows.box[i]!;
  }
  return { ...rows, box };
}
