import {
  aroundCentre,
  bestClass,
  proportional,
  sigmoid,
  softmax,
  type PlainDetection,
  type PlainLimits,
} from './plain-detections.ts';

type Limits = Pick<PlainLimits, 'widthPx' | 'heightPx' | 'scoreThreshold' | 'maxDetections'>;

/** The detections of a DETR whose graph selects them: corners in pixels of `widthPx` by `heightPx`, best first. */
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

/** Decodes the queries of a DETR: logits [Q][C], boxes [Q] as centre and size in fractions. The last class is "no object". */
export function queriesPlainly(
  logits: readonly (readonly number[])[],
  boxes: readonly (readonly number[])[],
  kind: 'sigmoid' | 'softmax',
  limits: Pick<PlainLimits, 'scoreThreshold' | 'maxDetections'>,
): PlainDetection[] {
  const rows = logits.flatMap((row, query) => {
    const found = kind === 'sigmoid' ? row.map(sigmoid) : softmax(row).slice(0, -1);
    const best = bestClass(found);
    const kept = kind === 'sigmoid' ? found.map((score, category) => ({ score, category })) : [best];
    return kept.map((one) => ({ ...one, corners: aroundCentre(boxes[query]!) }));
  });
  return rows
    .filter(({ score }) => score > limits.scoreThreshold)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limits.maxDetections)
    .map((row) => proportional(row, { widthPx: 1, heightPx: 1 }));
}
