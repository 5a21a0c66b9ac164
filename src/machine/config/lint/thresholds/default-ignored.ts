import { isObject } from '../../json/json-document.ts';
import { attributeOf, removeFix, visionServices, type Rule } from '../rule/rule.ts';

/** `label_confidences` switch the default off. */
export const defaultIgnored: Rule = {
  code: 'default-ignored',
  *check(context) {
    for (const service of visionServices(context)) {
      const labels = attributeOf(service, 'label_confidences')?.value;
      const attribute = attributeOf(service, 'default_minimum_confidence');
      if (!attribute || attribute.value === null || !isObject(labels) || Object.keys(labels).length === 0) continue;
      yield {
        path: attribute.path,
        onKey: true,
        severity: 'info',
        message:
          'default_minimum_confidence has no effect: label_confidences alone decide, and labels they lack are dropped.',
        fix: removeFix(context, 'Remove the default', attribute.path),
      };
    }
  },
};
