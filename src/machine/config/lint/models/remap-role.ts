import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { remaps } from './remap-entry.ts';
import { removeFix, setFix, type Rule } from '../rule/rule.ts';

/** A remap to a name that the machine never asks for, or to one that is taken. */
export const remapRole: Rule = {
  code: 'remap-role',
  *check(context) {
    for (const { entries } of remaps(context)) {
      const taken = new Map<string, string>();
      for (const { path, tensor, role, roles, side, reversed } of entries) {
        if (reversed) continue;
        const other = taken.get(role);
        if (!roles.includes(role)) {
          const near = didYouMean(role, roles);
          yield {
            path,
            severity: 'warning',
            message: `The machine never asks for an ${side} named "${role}", only for ${roles.join(', ')}.${suggestion(near)}`,
            fix:
              near === undefined
                ? removeFix(context, `Remove "${tensor}"`, path)
                : setFix(context, `Change to "${near}"`, path, near),
          };
        } else if (other !== undefined) {
          yield {
            path,
            severity: 'error',
            message: `"${other}" is ${role} already; which of the two the machine takes is left to chance.`,
            fix: removeFix(context, `Remove "${tensor}"`, path),
          };
        } else taken.set(role, tensor);
      }
    }
  },
};
