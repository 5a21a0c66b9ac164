import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { machineLabels } from './machine-labels.ts';
import { removeFix, setFix, drawingSteps, written, type Rule } from '../rule/rule.ts';

/** A label in `valid_labels` that the label file does not have. */
export const validLabels: Rule = {
  code: 'valid-labels',
  *check(context) {
    for (const { service: named, attributes, attributesPath } of drawingSteps(context)) {
      const service = named?.value;
      const labels = typeof service === 'string' ? machineLabels(context, service) : 'unknown';
      const listed = written(attributes, attributesPath, 'valid_labels');
      if (typeof labels === 'string' || !listed || !Array.isArray(listed.value)) continue;
      const known = new Set(labels.map((label) => label.toLowerCase()));
      for (const [index, label] of listed.value.entries()) {
        if (typeof label !== 'string' || known.has(label.toLowerCase())) continue;
        const path = [...listed.path, index];
        const near = didYouMean(label, labels);
        yield {
          path,
          severity: 'warning',
          message: `The label file of ${String(service)} has no "${label}", so nothing of that name is drawn.${suggestion(near)}`,
          fix: near
            ? setFix(context, `Change to "${near}"`, path, near)
            : removeFix(context, `Remove "${label}"`, path),
        };
      }
    }
  },
};
