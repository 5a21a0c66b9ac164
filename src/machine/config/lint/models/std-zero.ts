import { normalizations } from './normalization.ts';
import { setFix, type Rule } from '../rule/rule.ts';

/** A standard deviation of 0 divides by zero: the machine refuses the service. */
export const stdZero: Rule = {
  code: 'std-zero',
  *check(context) {
    for (const { key, path, values } of normalizations(context)) {
      // The machine holds float32: the smallest doubles are 0 there.
      const isZero = (value: number): boolean => Math.fround(value) === 0;
      if (key !== 'input_image_std_dev' || !values.some(isZero)) continue;
      yield {
        path,
        severity: 'error',
        message: 'A standard deviation of 0 would divide by zero; 1 leaves the channel as it is.',
        fix: setFix(
          context,
          'Write 1 for 0',
          path,
          values.map((value) => (isZero(value) ? 1 : value)),
        ),
      };
    }
  },
};
