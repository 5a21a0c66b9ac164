import { removeFix, renameFix, transformSteps, type Rule } from '../rule/rule.ts';

/** The machine looks for exactly `angle_degs`; under any other spelling the frame turns by 180 degrees. */
export const rotateAngleKey: Rule = {
  code: 'rotate-angle-key',
  *check(context) {
    for (const step of transformSteps(context)) {
      if (step.type !== 'rotate') continue;
      const hasExactKey = Object.hasOwn(step.attributes, 'angle_degs');
      for (const key of Object.keys(step.attributes)) {
        if (key === 'angle_degs' || !isAngleLike(key)) continue;
        const path = [...step.attributesPath, key];
        yield {
          path,
          onKey: true,
          severity: hasExactKey ? 'warning' : 'error',
          message: hasExactKey
            ? `The machine reads angle_degs only; "${key}" is ignored.`
            : `The machine reads angle_degs only; with "${key}" the frame turns by 180 degrees.`,
          fix: hasExactKey
            ? removeFix(context, `Remove "${key}"`, path)
            : renameFix(context, 'Rename to angle_degs', path, 'angle_degs'),
        };
      }
    }
  },
};

/** Spellings of the angle; the rule on unknown keys leaves them to this one. */
export function isAngleLike(key: string): boolean {
  return /^(rotat(e|ion)_?)?(angle|degs?|degrees)(_?(in_)?(degs?|degrees))?$/i.test(key);
}
