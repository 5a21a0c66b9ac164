import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { boxOverlap } from './box-overlap.ts';
import { groupRows, sortByScore } from './group-rows.ts';

/** Truth of other sizes is ignored; both ends are in the range. */
export interface AreaRange {
  readonly min: number;
  readonly max: number;
}

export interface MatchOptions {
  /** overlaps that a match needs, ascending, at most 16; default: 0.5 alone */
  readonly iouThresholds?: Float64Array;
  /** default: all sizes */
  readonly areaRanges?: readonly AreaRange[];
  /** results of an image and a label, the best ones; default: 100 */
  readonly maxDetections?: number;
  /**
   * 'crowd': a truth is ignored when it is a crowd, and its `ignore` field is overwritten, as pycocotools does (the
   * default); 'field': when either says so.
   */
  readonly ignoreRule?: 'crowd' | 'field';
}

/**
 * The matches of one label. Columns are in the order of evaluation: scores fall; of equal scores the one of the lower
 * image comes first, then the one that came in first. Bit t of an outcome belongs to IoU threshold t.
 */
export interface LabelMatches {
  readonly label: number;
  /** row in the DetectionSet */
  readonly row: Uint32Array<ArrayBuffer>;
  readonly image: Uint32Array<ArrayBuffer>;
  readonly score: Float64Array<ArrayBuffer>;
  /** place among the results of its image and label, from 0 */
  readonly rank: Uint32Array<ArrayBuffer>;
  /** by area range: which results found counted truth (bits 0–15), and which are ignored (bits 16–31) */
  readonly outcomes: readonly Uint32Array<ArrayBuffer>[];
  /** the truth found at the first IoU threshold and area range, counted or not; -1: none */
  readonly truthRow: Int32Array<ArrayBuffer>;
  /** by area range: how much truth counts */
  readonly truthCounts: readonly number[];
  /** the truth that counts in the first area range: its rows, and their images */
  readonly countedRow: Uint32Array<ArrayBuffer>;
  readonly countedImage: Uint32Array<ArrayBuffer>;
}

const anySize: readonly AreaRange[] = [{ min: 0, max: 1e10 }];

/** Above this overlap every IoU threshold is met: boxes that are equal up to rounding. */
const almostOne = 1 - 1e-10;

/**
 * Matches detections to truth as COCO does: image by image and label by label, down the scores, each to the best truth
 * that is still free; ignored truth only where no counted one fits. A threshold of scores cuts the matches' prefix, so
 * one pass gives every threshold.
 *
 * @param truth what is there
 * @param detections what was found, before any threshold
 * @param space how many images and which labels
 * @param options overlaps, sizes and counts; the defaults are those at IoU 0.5
 * @returns the matches of every label, in the labels' order
 * @throws RangeError for an image or label number out of range, or more than 16 IoU thresholds
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * const [truth, detections] = [new TruthSetBuilder(), new DetectionSetBuilder()];
 * truth.add(0, 0, [10, 10, 20, 20]);
 * detections.add(0, 0, [10, 10, 20, 18], 0.9);
 * const [person] = matchBoxes(truth.build(), detections.build(), { imageCount: 1, labels: ['person'] });
 * person.truthRow[0]; // => 0
 */
export function matchBoxes(
  truth: TruthSet,
  detections: DetectionSet,
  { imageCount, labels }: EvaluationSpace,
  {
    iouThresholds = Float64Array.of(0.5),
    areaRanges = anySize,
    maxDetections = 100,
    ignoreRule = 'crowd',
  }: MatchOptions = {},
): LabelMatches[] {
  if (iouThresholds.length > 16)
    throw new RangeError(`At most 16 IoU thresholds are matched, got ${iouThresholds.length}.`);
  const truthRows = groupRows(truth, imageCount, labels.length);
  const detectionRows = groupRows(detections, imageCount, labels.length);
  const matcher = new ImageMatcher(truth, detections, iouThresholds, areaRanges, ignoreRule);
  return labels.map((_, label) =>
    matchLabel(
      label,
      truthRows.rows.subarray(truthRows.labelStart[label], truthRows.labelStart[label + 1]),
      detectionRows.rows.subarray(detectionRows.labelStart[label], detectionRows.labelStart[label + 1]),
      matcher,
      maxDetections,
    ),
  );
}

function matchLabel(
  label: number,
  truthRows: Uint32Array,
  detectionRows: Uint32Array,
  matcher: ImageMatcher,
  maxDetections: number,
): LabelMatches {
  const { truth, detections, areaRanges } = matcher;
  const count = detectionRows.length;
  // In the order of images; sorted by score at the end.
  const row = new Uint32Array(count);
  const rank = new Uint32Array(count);
  const outcomes = areaRanges.map(() => new Uint32Array(count));
  const truthRow = new Int32Array(count).fill(-1);
  const counted: number[] = [];
  const truthCounts = areaRanges.map(() => 0);
  for (const one of truthRows) {
    for (const [area, range] of areaRanges.entries()) {
      if (matcher.isIgnored(one, range)) continue;
      truthCounts[area]!++;
      if (area === 0) counted.push(one);
    }
  }
  let kept = 0;
  let truthAt = 0;
  for (let from = 0, to = 0; from < count; from = to) {
    const image = detections.image[detectionRows[from]!]!;
    while (to < count && detections.image[detectionRows[to]!] === image) to++;
    while (truthAt < truthRows.length && truth.image[truthRows[truthAt]!]! < image) truthAt++;
    const truthFrom = truthAt;
    while (truthAt < truthRows.length && truth.image[truthRows[truthAt]!] === image) truthAt++;
    const best = sortByScore(detectionRows.subarray(from, to), detections.score).subarray(0, maxDetections);
    row.set(best, kept);
    for (let place = 0; place < best.length; place++) rank[kept + place] = place;
    matcher.matchImage(best, truthRows.subarray(truthFrom, truthAt), outcomes, truthRow, kept);
    kept += best.length;
  }
  return {
    label,
    ...inOrder({ row, rank, outcomes, truthRow }, kept, detections),
    truthCounts,
    countedRow: Uint32Array.from(counted),
    countedImage: Uint32Array.from(counted, (one) => truth.image[one]!),
  };
}

function inOrder(
  {
    row,
    rank,
    outcomes,
    truthRow,
  }: {
    readonly row: Uint32Array;
    readonly rank: Uint32Array;
    readonly outcomes: readonly Uint32Array[];
    readonly truthRow: Int32Array;
  },
  kept: number,
  { score, image }: DetectionSet,
) {
  const scores = new Float64Array(kept);
  const order = new Uint32Array(kept);
  for (let at = 0; at < kept; at++) {
    scores[at] = score[row[at]!]!;
    order[at] = at;
  }
  sortByScore(order, scores);
  const sortedRow = new Uint32Array(kept);
  const sorted = {
    row: sortedRow,
    image: new Uint32Array(kept),
    score: new Float64Array(kept),
    rank: new Uint32Array(kept),
    outcomes: outcomes.map(() => new Uint32Array(kept)),
    truthRow: new Int32Array(kept),
  };
  for (let at = 0; at < kept; at++) {
    const from = order[at]!;
    sortedRow[at] = row[from]!;
    sorted.image[at] = image[row[from]!]!;
    sorted.score[at] = scores[from]!;
    sorted.rank[at] = rank[from]!;
    sorted.truthRow[at] = truthRow[from]!;
  }
  for (const [area, column] of sorted.outcomes.entries()) {
    const given = outcomes[area]!;
    for (let at = 0; at < kept; at++) column[at] = given[order[at]!]!;
  }
  return sorted;
}

/** Matches one image of one label; its buffers are used again for the next. */
class ImageMatcher {
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
  readonly areaRanges: readonly AreaRange[];
  readonly #needed: Float64Array;
  readonly #ignoreRule: 'crowd' | 'field';
  #overlaps = new Float64Array(256);
  #order = new Uint32Array(16);
  #isTaken = new Uint8Array(16);

  constructor(
    truth: TruthSet,
    detections: DetectionSet,
    iouThresholds: Float64Array,
    areaRanges: readonly AreaRange[],
    ignoreRule: 'crowd' | 'field',
  ) {
    this.truth = truth;
    this.detections = detections;
    this.areaRanges = areaRanges;
    this.#needed = iouThresholds.map((threshold) => Math.min(threshold, almostOne));
    this.#ignoreRule = ignoreRule;
  }

  isIgnored(row: number, { min, max }: AreaRange): boolean {
    const { crowd, ignore, area } = this.truth;
    if (crowd[row] === 1 || (this.#ignoreRule === 'field' && ignore[row] === 1)) return true;
    return area[row]! < min || area[row]! > max;
  }

  /** @param at where the image's results begin in `outcomes` and `truthRow` */
  matchImage(
    rows: Uint32Array,
    truthRows: Uint32Array,
    outcomes: readonly Uint32Array[],
    truthRow: Int32Array,
    at: number,
  ): void {
    const isNear = truthRows.length > 0 && this.#measure(rows, truthRows);
    for (const [area, range] of this.areaRanges.entries()) {
      const outcome = outcomes[area]!;
      if (isNear) this.#matchInRange(rows, truthRows, range, outcome, area === 0 ? truthRow : null, at);
      this.#ignoreOtherSizes(rows, range, outcome, at);
    }
  }

  /** Fills the overlaps; false where none reaches the lowest threshold, so that nothing can match. */
  #measure(rows: Uint32Array, truthRows: Uint32Array): boolean {
    const { truth, detections } = this;
    const needed = this.#needed[0] ?? 1;
    const size = rows.length * truthRows.length;
    if (size > this.#overlaps.length) this.#overlaps = new Float64Array(2 * size);
    const overlaps = this.#overlaps;
    let isNear = false;
    for (let d = 0, cell = 0; d < rows.length; d++) {
      for (let t = 0; t < truthRows.length; t++, cell++) {
        const one = truthRows[t]!;
        const overlap = boxOverlap(detections.box, rows[d]!, truth.box, one, truth.crowd[one] === 1);
        overlaps[cell] = overlap;
        if (overlap >= needed) isNear = true;
      }
    }
    return isNear;
  }

  #matchInRange(
    rows: Uint32Array,
    truthRows: Uint32Array,
    range: AreaRange,
    outcome: Uint32Array,
    truthRow: Int32Array | null,
    at: number,
  ): void {
    const { crowd } = this.truth;
    const total = truthRows.length;
    if (total > this.#order.length) {
      this.#order = new Uint32Array(2 * total);
      this.#isTaken = new Uint8Array(2 * total);
    }
    const [order, isTaken, overlaps] = [this.#order, this.#isTaken, this.#overlaps];
    // Counted truth first, both parts in input order.
    let countedEnd = 0;
    for (let t = 0; t < total; t++) if (!this.isIgnored(truthRows[t]!, range)) order[countedEnd++] = t;
    for (let t = 0, to = countedEnd; t < total; t++) if (this.isIgnored(truthRows[t]!, range)) order[to++] = t;

    for (let threshold = 0; threshold < this.#needed.length; threshold++) {
      isTaken.fill(0, 0, total);
      for (let d = 0; d < rows.length; d++) {
        let best = this.#needed[threshold]!;
        let found = -1;
        for (let place = 0; place < total; place++) {
          if (place === countedEnd && found >= 0) break;
          const t = order[place]!;
          if (isTaken[t] === 1 && crowd[truthRows[t]!] !== 1) continue;
          const overlap = overlaps[d * total + t]!;
          if (overlap < best) continue;
          best = overlap;
          found = place;
        }
        if (found < 0) continue;
        const t = order[found]!;
        isTaken[t] = 1;
        outcome[at + d]! |= 1 << (found < countedEnd ? threshold : threshold + 16);
        if (threshold === 0 && truthRow) truthRow[at + d] = truthRows[t]!;
      }
    }
  }

  /** A result that found nothing is ignored where its own size lies outside the range. */
  #ignoreOtherSizes(rows: Uint32Array, { min, max }: AreaRange, outcome: Uint32Array, at: number): void {
    const { box } = this.detections;
    const all = (1 << this.#needed.length) - 1;
    for (let d = 0; d < rows.length; d++) {
      const area = box[4 * rows[d]! + 2]! * box[4 * rows[d]! + 3]!;
      if (area >= min && area <= max) continue;
      const seen = outcome[at + d]!;
      outcome[at + d]! |= (all & ~seen & ~(seen >>> 16)) << 16;
    }
  }
}
