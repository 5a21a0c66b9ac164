import { attributePath } from '../edit-config.ts';
import { copiedService, lowestThreshold, recorders, thresholdBelow } from '../recorder.ts';
import { setFix, type Rule } from './rule.ts';

/** A recorder that drops what the service reports that it copies: nothing below the thresholds in force is recorded. */
export const recorderThreshold: Rule = {
  code: 'recorder-threshold',
  *check(context) {
    for (const recorder of recorders(context.document)) {
      const copied = copiedService(context.document, recorder);
      if (!copied) continue;
      const lowest = lowestThreshold(copied);
      const { name, threshold, capture } = recorder;
      // Without a filter, nothing lower is possible.
      if (threshold < lowest || threshold <= 0) continue;
      const path = attributePath(capture.service, 'default_minimum_confidence');
      const better = thresholdBelow(copied);
      yield {
        path,
        severity: 'warning',
        message: `${name} records nothing below ${threshold}, and ${copied.name} reports from ${lowest} on: a replay can try no lower threshold.`,
        fix: setFix(context, `Write ${better}`, path, better),
      };
    }
  },
};
