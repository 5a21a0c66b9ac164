import { setFix, attributeOf, transformCameras, type Rule } from '../rule/rule.ts';
import { passThroughStep } from '../../edit/edit-pipeline.ts';

/** A transform camera without steps: the machine refuses it. */
export const pipelineEmpty: Rule = {
  code: 'pipeline-empty',
  *check(context) {
    for (const camera of transformCameras(context)) {
      const pipeline = attributeOf(camera, 'pipeline');
      const steps = pipeline?.value ?? [];
      if (!Array.isArray(steps) || steps.length > 0) continue;
      const path = pipeline?.path ?? [...camera.attributesPath, 'pipeline'];
      yield {
        path,
        severity: 'error',
        message: 'The machine refuses a transform camera without steps.',
        fix: setFix(context, 'Add a step that passes frames on', path, [passThroughStep]),
      };
    }
  },
};
