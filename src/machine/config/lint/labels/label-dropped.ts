import { setAt } from '../../json/edit-json.ts';
import { labelLists } from './label-list.ts';
import { rewriteFix, type Rule } from '../rule/rule.ts';

/** Labels seen on the bench that `label_confidences` drop because it does not list them. */
export const labelDropped: Rule = {
  code: 'label-dropped',
  *check(context) {
    for (const { service, path, labels } of labelLists(context)) {
      const listed = new Set(Object.keys(labels).map((label) => label.toLowerCase()));
      const seen = context.facts[service.name]?.labelsSeen ?? [];
      const dropped = seen.filter((label) => !listed.has(label.toLowerCase()));
      if (dropped.length === 0) continue;
      const confidences = Object.values(labels).filter((value) => typeof value === 'number');
      const lowest = Math.min(1, ...confidences);
      yield {
        path,
        onKey: true,
        severity: 'warning',
        message: `Seen and dropped, as the list lacks ${dropped.length === 1 ? 'it' : 'them'}: ${dropped.join(', ')}.`,
        fix: rewriteFix(context, `List ${dropped.length === 1 ? 'it' : 'them'} at ${lowest}`, (text) =>
          dropped.reduce((result, label) => setAt(result, [...path, label], lowest), text),
        ),
      };
    }
  },
};
