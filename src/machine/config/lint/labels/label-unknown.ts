import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { labelLists, removeLabelFix } from './label-list.ts';
import { machineLabels } from './machine-labels.ts';
import { renameFix, type Rule } from '../rule/rule.ts';

/** A label in `label_confidences` that the label file does not have. */
export const labelUnknown: Rule = {
  code: 'label-unknown',
  *check(context) {
    for (const list of labelLists(context)) {
      const known = machineLabels(context, list.service.name);
      if (typeof known === 'string') continue;
      const listed = Object.keys(list.labels).map((label) => label.toLowerCase());
      for (const label of Object.keys(list.labels)) {
        if (known.some((other) => other.toLowerCase() === label.toLowerCase())) continue;
        const near = didYouMean(
          label,
          known.filter((other) => !listed.includes(other.toLowerCase())),
        );
        const path = [...list.path, label];
        yield {
          path,
          onKey: true,
          severity: 'warning',
          message: `The label file has no "${label}", so the machine never says it.${suggestion(near)}`,
          fix:
            near === undefined
              ? removeLabelFix(context, list, label)
              : renameFix(context, `Rename to "${near}"`, path, near),
        };
      }
    }
  },
};
