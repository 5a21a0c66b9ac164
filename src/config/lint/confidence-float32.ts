import { float32SafeThreshold } from '../float32-threshold.ts';
import { confidenceValues } from './confidence-values.ts';
import { setFix, type Rule } from './rule.ts';

/** A threshold just above its own float32: a model's score of 0.7 is 0.699999988 and does not reach 0.7. */
export const confidenceFloat32: Rule = {
  code: 'confidence-float32',
  *check(context) {
    for (const { path, value } of confidenceValues(context)) {
      const score = Math.fround(value);
      if (!(value > 0 && value <= 1 && score < value)) continue;
      const safe = float32SafeThreshold(value);
      yield {
        path,
        severity: 'info',
        message: `A float32 score of ${value} is ${score.toPrecision(9)}, below ${value}, and is dropped; ${safe} keeps it.`,
        fix: setFix(context, `Write ${safe}`, path, safe),
      };
    }
  },
};
