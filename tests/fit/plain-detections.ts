/** A detection of the reference post-processing in plain TypeScript, to which fitted graphs are compared. */
export interface PlainDetection {
  /** ymin, xmin, ymax, xmax as fractions of the picture, clipped to it */
  readonly box: readonly number[];
  readonly category: number;
  readonly score: number;
}

export interface PlainCandidate {
  /** xmin, ymin, xmax, ymax in pixels of the input */
  readonly corners: readonly [number, number, number, number];
  readonly category: number;
  readonly score: number;
}

export interface PlainLimits {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly scoreThreshold: number;
  readonly iouThreshold: number;
  readonly maxDetections: number;
  readonly maxCandidates?: number;
}

/** Greedy non-maximum suppression for each class, best score first. */
export function suppressPlainly(candidates: readonly PlainCandidate[], limits: PlainLimits): PlainDetection[] {
  const best = candidates
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limits.maxCandidates ?? 2000)
    .filter(({ score }) => score > limits.scoreThreshold);
  const kept: PlainCandidate[] = [];
  for (const candidate of best) {
    const rivals = kept.filter(({ category }) => category === candidate.category);
    if (rivals.every(({ corners }) => overlap(corners, candidate.corners) <= limits.iouThreshold)) kept.push(candidate);
  }
  return kept.slice(0, limits.maxDetections).map((candidate) => proportional(candidate, limits));
}

export function proportional(
  { corners, category, score }: PlainCandidate,
  { widthPx, heightPx }: Pick<PlainLimits, 'widthPx' | 'heightPx'>,
): PlainDetection {
  const [xMin, yMin, xMax, yMax] = corners;
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return { box: [yMin / heightPx, xMin / widthPx, yMax / heightPx, xMax / widthPx].map(within), category, score };
}

export function bestClass(scores: readonly number[]): { readonly category: number; readonly score: number } {
  const score = Math.max(...scores);
  return { category: scores.indexOf(score), score };
}

export function aroundCentre([x, y, width, height]: readonly number[]): [number, number, number, number] {
  return [x! - width! / 2, y! - height! / 2, x! + width! / 2, y! + height! / 2];
}

export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

export function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

function overlap(a: readonly number[], b: readonly number[]): number {
  const side = (box: readonly number[], k: 0 | 1) => Math.max(0, box[k + 2]! - box[k]!);
  const shared = ([0, 1] as const).map((k) => Math.max(0, Math.min(a[k + 2]!, b[k + 2]!) - Math.max(a[k]!, b[k]!)));
  const both = shared[0]! * shared[1]!;
  return both === 0 ? 0 : both / (side(a, 0) * side(a, 1) + side(b, 0) * side(b, 1) - both);
}
