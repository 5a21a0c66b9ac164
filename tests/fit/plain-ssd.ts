import { suppressPlainly, type PlainCandidate, type PlainDetection, type PlainLimits } from './plain-detections.ts';

/** Makes a candidate of every class of every row, for the rows with the best top scores. */
export function everyClassPlainly(
  rows: readonly { readonly corners: PlainCandidate['corners']; readonly scores: readonly number[] }[],
  limits: PlainLimits,
): PlainDetection[] {
  const candidates = rows
    .toSorted((a, b) => Math.max(...b.scores) - Math.max(...a.scores))
    .slice(0, limits.maxCandidates ?? 2000)
    .flatMap(({ corners, scores }) => scores.map((score, category) => ({ corners, category, score })))
    .filter(({ score }) => score > limits.scoreThreshold);
  return suppressPlainly(candidates, { ...limits, maxCandidates: Infinity });
}

/** Decodes scores [N][1+C], where class 0 is the background, and boxes [N] of corners as fractions of the picture. */
export function decodedSsdPlainly(
  scores: readonly number[],
  boxes: readonly number[],
  columns: number,
  limits: PlainLimits,
): PlainDetection[] {
  const { widthPx, heightPx } = limits;
  const rows = Array.from({ length: boxes.length / 4 }, (_, row) => {
    const [xMin, yMin, xMax, yMax] = boxes.slice(4 * row, 4 * row + 4) as [number, number, number, number];
    return {
      corners: [xMin * widthPx, yMin * heightPx, xMax * widthPx, yMax * heightPx] as const,
      scores: scores.slice(columns * row + 1, columns * (row + 1)),
    };
  });
  return everyClassPlainly(rows, limits);
}
