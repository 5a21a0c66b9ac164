import { didYouMean, suggestion } from './did-you-mean.ts';
import { labelLists, removeLabelFix } from './label-list.ts';
import { renameFix, type Rule } from './rule.ts';

/** A label in `label_confidences` that the model does not have. */
export const labelUnknown: Rule = {
  code: 'label-unknown',
  *check(context) {
    for (const list of labelLists(context)) {
      const known = context.facts[list.service.name]?.labels;
      if (!known) continue;
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
          message: `The model has no label "${label}".${suggestion(near)}`,
          fix:
            near === undefined
              ? removeLabelFix(context, list, label)
              : renameFix(context, `Rename to "${near}"`, path, near),
        };
      }
    }
  },
};
