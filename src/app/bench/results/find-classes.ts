import type { Classification, RawClassifications } from '../../../vision/detections.ts';
import { topClassifications } from '../../../vision/filter/filter-classifications.ts';
import type { ServiceFilter } from '../../../vision/filter/service-filter.ts';

/** A class of a frame with its place among all of them. */
export interface FoundClass extends Classification {
  /** 1 = the model is surest of it */
  readonly rank: number;
  /** the thresholds keep it */
  readonly passes: boolean;
}

/** Every class whose name holds a text, in any case, by falling score. */
export function findClasses(
  raw: RawClassifications,
  filter: ServiceFilter,
  text: string,
  nameOf: (label: string) => string,
): readonly FoundClass[] {
  const wanted = text.trim().toLowerCase();
  const classes = raw.labels.map((label, at) => ({ label, score: raw.score[at]! }));
  // Two classes may be called alike, as ImageNet's two cranes.
  const nameAndScore = ({ label, score }: Classification): string => `${score} ${label}`;
  const passing = new Set(filter.classes(raw, 0).map(nameAndScore));
  return topClassifications(classes, classes.length)
    .map((found, at) => ({ ...found, rank: at + 1, passes: passing.has(nameAndScore(found)) }))
    .filter(({ label }) => nameOf(label).toLowerCase().includes(wanted));
}
