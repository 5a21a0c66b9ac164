import type { Classification, RawClassifications } from '../../../machine/vision/face/results.ts';
import { type ServiceFilter, topClassifications } from '../../../machine/vision/face/filters.ts';

/** A class of a frame with its rank. */
export interface FoundClass extends Classification {
  /** 1: the class with the highest score */
  readonly rank: number;
  /** whether the thresholds keep it */
  readonly passes: boolean;
}

/** All classes whose name contains a text, ignoring case, by falling score. */
export function findClasses(
  raw: RawClassifications,
  filter: ServiceFilter,
  text: string,
  nameOf: (label: string) => string,
): readonly FoundClass[] {
  const wanted = text.trim().toLowerCase();
  const classes = raw.labels.map((label, at) => ({ label, score: raw.score[at]! }));
  // Two classes may have the same name, as ImageNet's two cranes.
  const nameAndScore = ({ label, score }: Classification): string => `${score} ${label}`;
  const passing = new Set(filter.classes(raw, 0).map(nameAndScore));
  return topClassifications(classes, classes.length)
    .map((found, at) => ({ ...found, rank: at + 1, passes: passing.has(nameAndScore(found)) }))
    .filter(({ label }) => nameOf(label).toLowerCase().includes(wanted));
}
