import { isObject } from '../json-document.ts';
import { removeFix, setFix, type Rule } from './rule.ts';

/** The outermost shape: an object whose `components` and `services` are lists of objects. */
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
        yield { path: [section], severity: 'error', message: `${section} must be a list.`, ...(fix && { fix }) };
        continue;
      }
      for (const [index, item] of list.entries()) {
        if (isObject(item)) continue;
        const path = [section, index];
        const fix = removeFix(context, 'Remove it', path);
        yield { path, severity: 'error', message: `${section}[${index}] must be an object.`, fix };
      }
    }
  },
};
