import { isObject } from '../../json/json-document.ts';
import { mistypedMembers } from '../../parse/entry-types.ts';
import { removeFix, setFix, type Rule } from '../rule/rule.ts';

/** Ends the message of a finding for which the machine refuses the whole configuration. */
export const refusesAll = ' The machine would refuse this whole configuration.';

/** The outermost shape: an object whose `components` and `services` are lists of objects, their members of the right types. */
export const configShape: Rule = {
  code: 'config-shape',
  *check(context) {
    const { value } = context.document;
    if (value === undefined) return;
    if (!isObject(value)) {
      yield { path: [], severity: 'error', message: 'A machine configuration is a JSON object.' };
      return;
    }
    for (const section of ['components', 'services']) {
      const list = value[section];
      if (list === undefined || list === null) continue;
      if (!Array.isArray(list)) {
        const fix = isObject(list) ? setFix(context, 'Put it into a list', [section], [list]) : undefined;
        yield {
          path: [section],
          severity: 'error',
          message: `${section} must be a list.${refusesAll}`,
          ...(fix && { fix }),
        };
        continue;
      }
      for (const [index, item] of list.entries()) {
        const path = [section, index];
        if (isObject(item)) {
          for (const { path: at, message } of mistypedMembers(item, path))
            yield {
              path: at,
              severity: 'error',
              message: `${message}.${refusesAll}`,
              fix: removeFix(context, 'Remove it', at),
            };
          continue;
        }
        const fix = removeFix(context, 'Remove it', path);
        yield { path, severity: 'error', message: `${section}[${index}] must be an object.${refusesAll}`, fix };
      }
    }
  },
};
