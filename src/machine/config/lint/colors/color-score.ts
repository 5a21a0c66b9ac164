import { findEntry } from '../../parse/config-entries.ts';
import { drawingSteps, removeFix, written, type Rule } from '../rule/rule.ts';

/** A threshold of a step that draws what a colour detector finds, whose scores are all 1. */
export const colorScore: Rule = {
  code: 'color-score',
  *check(context) {
    for (const { type, service, attributes, attributesPath } of drawingSteps(context)) {
      const name = service?.value;
      if (type !== 'detections' || typeof name !== 'string') continue;
      if (!findEntry(context.entries, name, 'color-detector')) continue;
      const threshold = written(attributes, attributesPath, 'confidence_threshold');
      // Above 1 it drops everything: confidence-range says so.
      if (typeof threshold?.value !== 'number' || threshold.value <= 0 || threshold.value > 1) continue;
      yield {
        path: threshold.path,
        severity: 'info',
        message: `"${name}" is a colour detector, whose scores are all 1: this threshold changes nothing.`,
        fix: removeFix(context, 'Remove the threshold', threshold.path),
      };
    }
  },
};
