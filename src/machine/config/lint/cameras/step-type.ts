import { removedStepTypes } from '../../parse/parse-transform-step.ts';
import { isStepType, stepTypes } from '../../parse/transform-steps.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { removeStepFix, setFix, transformSteps, type Rule } from '../rule/rule.ts';

/** A step type that the machine does not know, or no longer knows: it refuses the camera. */
export const stepType: Rule = {
  code: 'step-type',
  *check(context) {
    for (const step of transformSteps(context)) {
      if (step.type === '' || isStepType(step.type)) continue;
      const removed = removedStepTypes.includes(step.type);
      const near = removed ? undefined : didYouMean(step.type, stepTypes);
      yield {
        path: step.typePath,
        severity: 'error',
        message: removed
          ? `The machine no longer has the step "${step.type}" and refuses the camera.`
          : `The machine has no step "${step.type}" and refuses the camera.${suggestion(near)}`,
        fix: near
          ? setFix(context, `Change to ${near}`, step.typePath, near)
          : removeStepFix(context, 'Remove this step', step),
      };
    }
  },
};
