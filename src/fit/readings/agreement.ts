import type { BoxRows } from './box-rows.ts';
import { distinctRows, overlap } from './suppress.ts';

/**
 * How far the boxes of a frame and those of its mirror image are the same things, 0..1: a model that sees a thing sees it
 * in the mirror too, and only the right reading puts it where the mirror has it. Weighted by score; null = no boxes.
 */
export function agreement(rows: BoxRows, mirrored: BoxRows): number | null {
  const least = 0.5 * rows.score.reduce((most, score) => Math.max(most, score), 0);
  const here = distinctRows(rows, Math.max(least, 0.05), mostCompared);
  if (here.length === 0) return null;
  const there = distinctRows(mirrored, Math.max(least / 2, 0.025), 2 * mostCompared);
  const back = mirroredBack(mirrored.box);
  let [found, all] = [0, 0];
  for (const row of here) {
    const score = rows.score[row]!;
    all += score;
    let best = 0;
    for (const other of there) {
      if (mirrored.category[other] === rows.category[row])
        best = Math.max(best, overlap(rows.box, back, 4 * row, 4 * other));
    }
    found += score * best;
  }
  return all > 0 ? found / all : null;
}

const mostCompared = 20;

/** Where the boxes of a mirror image lie in the picture itself. */
function mirroredBack(box: Float64Array): Float64Array {
  const back = box.slice();
  for (let i = 0; i < box.length; i += 4) {
    back[i] = 1 - box[i + 2]!;
    back[i + 2] = 1 - box[i]!;
  }
  return back;
}
