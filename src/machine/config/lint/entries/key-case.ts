import type { JsonPath } from '../../json/json-path.ts';
import { foldKey } from '../../parse/parse-attributes.ts';
import { knownObjects } from './known-objects.ts';
import { removeFix, renameFix, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/** A key that the machine accepts in spite of its case, loses beside the exact one, or takes at random among several. */
export const keyCase: Rule = {
  code: 'key-case',
  *check(context) {
    for (const { path, object, fields } of knownObjects(context)) {
      for (const name of Object.keys(fields)) {
        if (name === 'angle_degs') continue; // has a rule of its own: there the case changes the picture
        const spellings = Object.keys(object).filter((key) => foldKey(key) === name);
        for (const key of spellings)
          if (key !== name)
            yield { path: [...path, key], onKey: true, ...reportOf(context, path, name, key, spellings) };
      }
    }
  },
};

function reportOf(
  context: LintContext,
  path: JsonPath,
  name: string,
  key: string,
  spellings: readonly string[],
): Pick<Report, 'severity' | 'message' | 'fix'> {
  const at = [...path, key];
  const rename = renameFix(context, `Rename to ${name}`, at, name);
  const remove = removeFix(context, `Remove "${key}"`, at);
  if (spellings.includes(name))
    return { severity: 'warning', message: `"${key}" is ignored beside "${name}".`, fix: remove };
  if (spellings.length === 1)
    return { severity: 'info', message: `The machine reads this as ${name}; write it so.`, fix: rename };
  const others = spellings.filter((other) => other !== key).map((other) => `"${other}"`);
  return {
    severity: 'warning',
    message: `The machine takes "${key}" or ${others.join(' or ')} as ${name}, at random; here the first counts.`,
    fix: key === spellings[0] ? rename : remove,
  };
}
