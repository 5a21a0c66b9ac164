import { labelLists } from './label-list.ts';
import { removeFix, type Rule } from '../rule/rule.ts';

/** Two spellings of one label: the machine does not tell them apart, and which value wins is left to chance. */
export const labelTwice: Rule = {
  code: 'label-twice',
  *check(context) {
    for (const { path, labels } of labelLists(context)) {
      const first = new Map<string, string>();
      for (const label of Object.keys(labels)) {
        const folded = label.toLowerCase();
        const other = first.get(folded);
        if (other === undefined) {
          first.set(folded, label);
          continue;
        }
        yield {
          path: [...path, label],
          onKey: true,
          severity: 'warning',
          message: `"${label}" and "${other}" are one label to the machine; which of the two values counts is left to chance.`,
          fix: removeFix(context, `Remove "${label}"`, [...path, label]),
        };
      }
    }
  },
};
