import { normalizations } from './normalization.ts';
import { setFix, type Rule } from '../rule/rule.ts';

/** Above this no value belongs to pixels of 0 to 1, whatever the model. */
const largestUnitValue = 2;

/** Mean or standard deviation for pixels of 0–255; the machine divides pixels by 255 first. */
export const meanStdScale: Rule = {
  code: 'mean-std-scale',
  *check(context) {
    for (const { key, path, values } of normalizations(context)) {
      const largest = Math.max(...values);
      if (largest <= largestUnitValue) continue;
      const divided = values.map((value) => Number((value / 255).toPrecision(6)));
      const fits = Math.max(...divided) <= largestUnitValue;
      yield {
        path,
        severity: 'warning',
        message: `${key} looks like 0–255: the machine divides pixels by 255 before it, so ${largest} is far outside, though Viam’s page shows 127.5.`,
        ...(fits && { fix: setFix(context, `Divide by 255: [${divided.join(', ')}]`, path, divided) }),
      };
    }
  },
};
