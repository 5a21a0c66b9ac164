import { proportional, type PlainDetection, type PlainLimits } from './plain-detections.ts';

type Limits = Pick<PlainLimits, 'widthPx' | 'heightPx' | 'scoreThreshold' | 'maxDetections'>;

/** Rows of queries that the graph has chosen, corners in pixels of `widthPx` by `heightPx`: the best first. */
export function chosenPlainly(
  boxes: readonly number[],
  labels: readonly number[],
  scores: readonly number[],
  limits: Limits,
): PlainDetection[] {
  return labels
    .map((category, row) => ({
      corners: boxes.slice(4 * row, 4 * row + 4) as [number, number, number, number],
      category,
      score: scores[row]!,
    }))
    .filter(({ score }) => score > limits.scoreThreshold)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limits.maxDetections)
    .map((candidate) => proportional(candidate, limits));
}
