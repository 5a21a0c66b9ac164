import { foldKey } from '../../parse/parse-attributes.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import {
  numberOf,
  removeStepFix,
  renameFix,
  transformSteps,
  written,
  type Rule,
  type WrittenStep,
} from '../rule/rule.ts';

const sides = ['width_px', 'height_px'];

/** A resize to nothing: the machine refuses the camera. */
export const resizeSize: Rule = {
  code: 'resize-size',
  *check(context) {
    for (const step of transformSteps(context)) {
      if (step.type !== 'resize') continue;
      for (const key of sides) {
        const attribute = written(step.attributes, step.attributesPath, key);
        const size = numberOf(attribute);
        if (size === undefined || Math.trunc(size) > 0) continue;
        const misspelt = attribute ? undefined : misspeltKey(step, key);
        yield {
          path: attribute?.path ?? [...step.attributesPath, key],
          severity: 'error',
          message: attribute
            ? `${key} must be at least 1, got ${size}.`
            : `A resize needs ${key}; missing counts as 0.${suggestion(misspelt && key)}`,
          fix: misspelt
            ? renameFix(context, `Rename "${misspelt}" to ${key}`, [...step.attributesPath, misspelt], key)
            : removeStepFix(context, 'Remove this resize', step),
        };
      }
    }
  },
};

/** A key with a usable size that most likely means the one that is missing. */
function misspeltKey({ attributes }: WrittenStep, missing: string): string | undefined {
  const others = Object.keys(attributes).filter(
    (key) => !sides.includes(foldKey(key)) && typeof attributes[key] === 'number' && attributes[key] >= 1,
  );
  return others.find((key) => didYouMean(key, sides) === missing);
}
