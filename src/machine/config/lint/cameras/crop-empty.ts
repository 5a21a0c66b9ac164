import { cropWindows } from './crop-edges.ts';
import { removeStepFix, setFix, rewriteFix, type Rule } from '../rule/rule.ts';
import { setAt } from '../../json/edit-json.ts';

/** A crop whose edges are negative or in the wrong order: the machine refuses the camera. */
export const cropEmpty: Rule = {
  code: 'crop-empty',
  *check(context) {
    for (const { step, edges, written } of cropWindows(context)) {
      for (const axis of ['x', 'y'] as const) {
        const minKey = `${axis}_min_px` as const;
        const maxKey = `${axis}_max_px` as const;
        const [min, max] = [edges[minKey], edges[maxKey]];
        const minPath = written[minKey]?.path ?? [...step.attributesPath, minKey];
        const maxPath = written[maxKey]?.path ?? [...step.attributesPath, maxKey];
        if (min < 0) {
          yield {
            path: minPath,
            severity: 'error',
            message: `${minKey} cannot be negative, got ${min}.`,
            fix: setFix(context, 'Write 0', minPath, 0),
          };
        } else if (min >= max) {
          const side = axis === 'x' ? 'width' : 'height';
          yield {
            path: maxPath,
            severity: 'error',
            message: `The crop has no ${side}: ${minKey} ${min} is not below ${maxKey} ${max}.`,
            fix:
              min > max && max >= 0
                ? rewriteFix(context, 'Swap the two', (text) => setAt(setAt(text, minPath, max), maxPath, min))
                : removeStepFix(context, 'Remove this crop', step),
          };
        }
      }
    }
  },
};
