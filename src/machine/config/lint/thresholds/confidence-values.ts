import type { JsonPath } from '../../json/json-path.ts';
import { labelLists } from '../labels/label-list.ts';
import { attributeOf, drawingSteps, visionServices, written, type LintContext, type Written } from '../rule/rule.ts';

/** A threshold that scores are compared with, wherever it stands. */
export interface ConfidenceValue {
  readonly path: JsonPath;
  readonly value: number;
}

export function confidenceValues(context: LintContext): readonly ConfidenceValue[] {
  const candidates: (Written | undefined)[] = [
    ...visionServices(context).map((service) => attributeOf(service, 'default_minimum_confidence')),
    ...labelLists(context).flatMap(({ path, labels }) =>
      Object.entries(labels).map(([label, value]): Written => ({ path: [...path, label], value })),
    ),
    ...drawingSteps(context).map(({ attributes, attributesPath }) =>
      written(attributes, attributesPath, 'confidence_threshold'),
    ),
  ];
  return candidates.flatMap((candidate) =>
    candidate && typeof candidate.value === 'number' ? [{ path: candidate.path, value: candidate.value }] : [],
  );
}
