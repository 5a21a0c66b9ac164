import { knownObjects } from './known-objects.ts';
import { setFix, written, type Rule } from '../rule/rule.ts';

/** A fraction where the machine keeps only the whole part. */
export const fractionalInteger: Rule = {
  code: 'fractional-integer',
  *check(context) {
    for (const { path, object, fields } of knownObjects(context)) {
      for (const [key, type] of Object.entries(fields)) {
        const attribute = written(object, path, key);
        if (!attribute) continue;
        const list: readonly unknown[] = Array.isArray(attribute.value) ? attribute.value : [];
        const values =
          type === '[]int'
            ? list.map((value, index) => ({ value, at: [...attribute.path, index] }))
            : type === 'int' || type === 'uint'
              ? [{ value: attribute.value, at: attribute.path }]
              : [];
        for (const { value, at } of values) {
          if (typeof value !== 'number' || Number.isInteger(value)) continue;
          const whole = Math.trunc(value) + 0;
          yield {
            path: at,
            severity: 'warning',
            message: `The machine reads ${value} as ${whole}: only whole numbers count here.`,
            fix: setFix(context, `Write ${whole}`, at, whole),
          };
        }
      }
    }
  },
};
