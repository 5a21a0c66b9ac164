import { numberOf, removeStepFix, transformSteps, written, type Rule } from './rule.ts';

/** A resize to nothing: the machine refuses the camera. */
export const resizeSize: Rule = {
  code: 'resize-size',
  *check(context) {
    for (const step of transformSteps(context)) {
      if (step.type !== 'resize') continue;
      for (const key of ['width_px', 'height_px']) {
        const attribute = written(step.attributes, step.attributesPath, key);
        const size = numberOf(attribute);
        if (size === undefined || Math.trunc(size) > 0) continue;
        yield {
          path: attribute?.path ?? [...step.attributesPath, key],
          severity: 'error',
          message: attribute
            ? `${key} must be at least 1, got ${size}.`
            : `A resize needs ${key}; missing counts as 0.`,
          fix: removeStepFix(context, 'Remove this resize', step),
        };
      }
    }
  },
};
