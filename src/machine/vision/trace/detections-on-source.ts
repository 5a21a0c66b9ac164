import type { RawDetections } from '../results/detections.ts';
import type { Point, TracedStage } from './trace.ts';
import { cornersOnSource, uprightOnSource } from './upright-on-source.ts';

/** Boxes of raw detections on the source picture. */
export interface DetectionsOnSource {
  /** rows of the raw detections, in their order */
  readonly row: Uint32Array;
  /** x, y, width and height in pixels of the source, four values a row */
  readonly box: Float64Array;
}

/**
 * Raw detections as an evaluation counts them: on the source picture, upright. Without steps boxes stay as they are;
 * with steps they are traced back and cut off at the source's edges, and those that lie outside are left out. So is a
 * score that is NaN, which nothing can rank.
 *
 * @param detections of the last stage, in whole pixels
 * @param stages the source first, then the picture after each step
 * @returns rows with their boxes
 * @example
 * const stages = [{ step: null, widthPx: 8, heightPx: 4 }];
 * const detections = { count: 1, score: Float64Array.of(0.5), box: Int32Array.of(1, 1, 3, 2) };
 * Array.from(detectionsOnSource(detections, stages).box); // => [1, 1, 2, 1]
 */
export function detectionsOnSource(
  { count, score, box }: Pick<RawDetections, 'count' | 'score' | 'box'>,
  stages: readonly TracedStage[],
): DetectionsOnSource {
  const rows: number[] = [];
  const boxes: number[] = [];
  const { widthPx, heightPx } = stages[0]!.uncut ?? stages[0]!;
  for (let row = 0; row < count; row++) {
    if (Number.isNaN(score[row])) continue;
    const [xMin, yMin, xMax, yMax] = [box[4 * row]!, box[4 * row + 1]!, box[4 * row + 2]!, box[4 * row + 3]!];
    if (stages.length === 1) boxes.push(xMin, yMin, xMax - xMin, yMax - yMin);
    else {
      const place = uprightOnSource({ xMin, yMin, xMax, yMax }, stages);
      if (!place) continue;
      const [left, top] = [place.xMinNormalized * widthPx, place.yMinNormalized * heightPx];
      boxes.push(left, top, place.xMaxNormalized * widthPx - left, place.yMaxNormalized * heightPx - top);
    }
    rows.push(row);
  }
  return { row: Uint32Array.from(rows), box: Float64Array.from(boxes) };
}

/**
 * What the last stage shows of the source picture.
 *
 * @param stages the source first, then the picture after each step
 * @returns the corners of that part, in pixels of the source
 * @example
 * const stages = [{ step: null, widthPx: 8, heightPx: 4 }];
 * regionOnSource(stages)[2]; // => { x: 8, y: 4 }
 */
export function regionOnSource(stages: readonly TracedStage[]): readonly Point[] {
  const { widthPx, heightPx } = stages.at(-1)!;
  return cornersOnSource({ xMin: 0, yMin: 0, xMax: widthPx, yMax: heightPx }, stages);
}
