import { remaps } from './remap-entry.ts';
import { renameFix, setFix, type Rule } from '../rule/rule.ts';

/** A remap written role → tensor; the machine wants the model's name first. */
export const remapDirection: Rule = {
  code: 'remap-direction',
  *check(context) {
    for (const { entries } of remaps(context)) {
      for (const { path, tensor, role, reversed } of entries) {
        if (!reversed) continue;
        const swapped = [...renameFix(context, '', path, role).edits, ...setFix(context, '', path, tensor).edits];
        yield {
          path,
          onKey: true,
          severity: 'error',
          message: `A remap goes from the model's name to the machine's: "${role}": "${tensor}", not the other way round.`,
          fix: { title: `Write "${role}": "${tensor}"`, edits: swapped },
        };
      }
    }
  },
};
