import type { ConfigEntry } from '../../parse/config-entries.ts';
import { isObject, type JsonObject } from '../../json/json-document.ts';
import type { JsonPath } from '../../json/json-path.ts';
import type { Fix } from '../rule/finding.ts';
import { attributeOf, removeFix, visionServices, type LintContext } from '../rule/rule.ts';

/** The `label_confidences` of a service that lists at least one label. */
export interface LabelConfidences {
  readonly service: ConfigEntry;
  readonly path: JsonPath;
  readonly labels: JsonObject;
}

export function labelLists(context: LintContext): readonly LabelConfidences[] {
  return visionServices(context).flatMap((service): LabelConfidences[] => {
    const attribute = attributeOf(service, 'label_confidences');
    if (!attribute || !isObject(attribute.value) || Object.keys(attribute.value).length === 0) return [];
    return [{ service, path: attribute.path, labels: attribute.value }];
  });
}

/** Takes a label off the list, and the list with its last label. */
export function removeLabelFix(context: LintContext, { path, labels }: LabelConfidences, label: string): Fix {
  const isLast = Object.keys(labels).length === 1;
  return removeFix(context, isLast ? 'Remove the list' : `Remove "${label}"`, isLast ? path : [...path, label]);
}
