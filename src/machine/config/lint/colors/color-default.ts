import { colorDefaults } from '../../../vision/face/colors.ts';
import { attributeOf, colorDetectors, setFix, type Rule } from '../rule/rule.ts';

const cutoffs = [
  ['saturation_cutoff_pct', colorDefaults.saturationCutoff],
  ['value_cutoff_pct', colorDefaults.valueCutoff],
  ['segment_size_px', colorDefaults.minAreaPx],
] as const;

/** A cut-off of 0, which is meant as "none" and taken for the default. */
export const colorDefault: Rule = {
  code: 'color-default',
  *check(context) {
    for (const detector of colorDetectors(context)) {
      for (const [key, usual] of cutoffs) {
        const attribute = attributeOf(detector, key);
        // A part of a pixel is cut off to 0, too.
        const isArea = key === 'segment_size_px';
        if (typeof attribute?.value !== 'number' || (isArea ? Math.trunc(attribute.value) : attribute.value) !== 0)
          continue;
        const least = isArea ? '1' : '0.001';
        yield {
          path: attribute.path,
          severity: 'warning',
          message: `The machine takes 0 as not set and uses ${usual}. For none, write ${least}.`,
          fix: setFix(context, `Write ${usual}`, attribute.path, usual),
        };
      }
    }
  },
};
