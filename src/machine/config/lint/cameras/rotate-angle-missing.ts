import { isAngleLike } from './rotate-angle-key.ts';
import { setFix, transformSteps, type Rule } from '../rule/rule.ts';

/** Without an angle the machine turns the frame upside down; with null it does nothing. */
export const rotateAngleMissing: Rule = {
  code: 'rotate-angle-missing',
  *check(context) {
    for (const { type, attributes, attributesPath } of transformSteps(context)) {
      if (type !== 'rotate') continue;
      const path = [...attributesPath, 'angle_degs'];
      const given = Object.hasOwn(attributes, 'angle_degs');
      if (given ? attributes['angle_degs'] !== null : Object.keys(attributes).some(isAngleLike)) continue;
      const angle = given ? 0 : 180;
      yield {
        path,
        severity: 'info',
        message: given
          ? 'With null the machine turns by 0 degrees, not by its default of 180.'
          : 'Without angle_degs the machine turns by 180 degrees.',
        fix: setFix(context, `Write ${angle}`, path, angle),
      };
    }
  },
};
