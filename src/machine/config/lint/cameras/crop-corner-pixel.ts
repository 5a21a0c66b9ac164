import { cropWindows } from './crop-edges.ts';
import { removeStepFix, type Rule } from '../rule/rule.ts';

/** 0, 0, 1, 1 looks like the whole frame and is its top-left pixel. */
export const cropCornerPixel: Rule = {
  code: 'crop-corner-pixel',
  *check(context) {
    for (const { step, edges } of cropWindows(context)) {
      const { x_min_px: xMin, y_min_px: yMin, x_max_px: xMax, y_max_px: yMax } = edges;
      if (xMin !== 0 || yMin !== 0 || xMax !== 1 || yMax !== 1) continue;
      yield {
        path: step.attributesPath,
        severity: 'error',
        message:
          'A crop of 0, 0, 1, 1 keeps only the top-left pixel, not the whole frame. For the whole frame use no crop.',
        fix: removeStepFix(context, 'Remove this crop', step),
      };
    }
  },
};
