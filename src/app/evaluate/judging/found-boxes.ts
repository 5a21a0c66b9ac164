import type { EvaluatedImage } from '../run/evaluated-image.ts';

/** A box that the model found: a row of an image's raw result. */
export interface FoundBox {
  readonly found: EvaluatedImage;
  readonly row: number;
  readonly score: number;
}

/** A label that the model found somewhere. */
export interface FoundLabel {
  readonly name: string;
  /** boxes of any score */
  readonly count: number;
  /** boxes that the current thresholds keep */
  readonly keptCount: number;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The labels that the model found, the one with most kept boxes first. Labels are compared without case. */
export function labelsFound(
  results: readonly EvaluatedImage[],
  thresholdOf: (label: string) => number,
): readonly FoundLabel[] {
  const labels = new Map<string, { readonly name: string; readonly threshold: number; readonly counts: Uint32Array }>();
  for (const { raw } of results) {
    const own = raw.labels.map((name) => {
      const key = name.toLowerCase();
      const known = labels.get(key) ?? { name, threshold: thresholdOf(name), counts: new Uint32Array(2) };
      labels.set(key, known);
      return known;
    });
    for (const [row, score] of raw.score.entries()) {
      const { counts, threshold } = own[raw.labelIndex[row]!]!;
      counts[0]!++;
      if (score - threshold >= 0) counts[1]!++;
    }
  }
  return [...labels.values()]
    .map(({ name, counts }) => ({ name, count: counts[0]!, keptCount: counts[1]! }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.keptCount - a.keptCount || b.count - a.count);
}

/** All boxes of a label, of any score. */
export function boxesOfLabel(results: readonly EvaluatedImage[], label: string): readonly FoundBox[] {
  return results.flatMap((found) => {
    const isOfLabel = found.raw.labels.map((name) => isSame(name, label));
    const boxes: FoundBox[] = [];
    for (const [row, score] of found.raw.score.entries())
      if (isOfLabel[found.raw.labelIndex[row]!]) boxes.push({ found, row, score });
    return boxes;
  });
}
