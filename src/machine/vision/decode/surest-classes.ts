import type { RawClassifications } from '../results/detections.ts';

/** More than any published classifier of pictures has: Google's classifiers of landmarks have up to 98,960 classes. */
export const mostClasses = 100_000;

/** The page counts and keeps every listed class of every frame: it can follow ImageNet-21k's 21,843, and takes a second for five times as many. */
const mostListed = 22_000;

/**
 * Leaves out the lowest scores where there are too many to list: the machine takes a raw head of a
 * detector for a classifier of millions of classes, and a page that lists, counts and keeps them all stands still for minutes.
 * @param raw every class of a frame, in label order
 * @param most how many classes are listed of a longer list
 * @returns `raw` itself up to 22,000 classes; otherwise the `most` highest scores in label order, with the number of those left out
 * @example
 * const few = { labels: ['cat', 'dog'], score: Float64Array.of(0.2, 0.8) };
 * surestClasses(few) === few; // => true
 */
export function surestClasses(raw: RawClassifications, most = 1000): RawClassifications {
  const { labels, score } = raw;
  if (score.length <= mostListed) return raw;
  const rows = highestRows(score, most);
  return {
    labels: rows.map((row) => labels[row]!),
    score: Float64Array.from(rows, (row) => score[row]!),
    unlisted: score.length - rows.length,
  };
}

/**
 * In one pass: whoever is above the lowest of the best so far is a candidate, and the candidates are cut now and then. NaN is none, unless
 * all are. */
function highestRows(score: Float64Array, most: number): number[] {
  const cut = (rows: number[]) => rows.sort((a, b) => score[b]! - score[a]! || a - b).slice(0, most);
  let best: number[] = [];
  let floor = -Infinity;
  for (let row = 0; row < score.length; row++) {
    if (!(score[row]! > floor)) continue;
    best.push(row);
    if (best.length < 2 * most) continue;
    best = cut(best);
    floor = score[best.at(-1)!]!;
  }
  if (best.length === 0) return Array.from({ length: most }, (_, row) => row);
  return cut(best).sort((a, b) => a - b);
}
