import { confidenceValues } from './confidence-values.ts';
import { setFix, type Rule } from '../rule/rule.ts';

/** A threshold outside 0..1: above 1 drops nearly everything, below 0 drops nothing. */
export const confidenceRange: Rule = {
  code: 'confidence-range',
  *check(context) {
    for (const { path, value } of confidenceValues(context)) {
      if (value >= 0 && value <= 1) continue;
      const inside = value < 0 ? 0 : isPercent(value) ? Number((value / 100).toPrecision(6)) : 1;
      yield {
        path,
        severity: value > 1 ? 'error' : 'warning',
        message:
          value > 1
            ? `Scores run from 0 to 1: ${value} drops them all.`
            : `Scores run from 0 to 1: ${value} keeps them all, as 0 does.`,
        fix: setFix(context, `Write ${inside}`, path, inside),
      };
    }
  },
};

/** A value slightly above 1 is not a percentage: nobody means a hundredth of 1.5. */
const isPercent = (value: number): boolean => value >= 10 && value <= 100;
