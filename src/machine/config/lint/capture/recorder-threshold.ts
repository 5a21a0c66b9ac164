import { attributePath } from '../../edit/edit-config.ts';
import { changeRecorder } from '../../edit/edit-recorder.ts';
import { copiedService, lowestThreshold, recorders, thresholdBelow } from '../../edit/recorder.ts';
import { rewriteFix, setFix, type Rule } from '../rule/rule.ts';

/**
 * A recorder that drops what the service reports that it copies: nothing below the thresholds in force is recorded, or
 * nothing but the labels of a list.
 */
export const recorderThreshold: Rule = {
  code: 'recorder-threshold',
  *check(context) {
    for (const recorder of recorders(context.document)) {
      const copied = copiedService(context.document, recorder);
      if (!copied) continue;
      const lowest = lowestThreshold(copied);
      const { name, threshold, capture, keepsListedOnly } = recorder;
      const better = thresholdBelow(copied);
      if (keepsListedOnly) {
        yield {
          path: attributePath(capture.service, 'label_confidences'),
          severity: 'warning',
          message: `${name} records no label that is not in its label_confidences. One low threshold for all labels records them all.`,
          fix: rewriteFix(context, `Write ${better} for all labels`, (text) =>
            changeRecorder(text, recorder, { threshold: better }),
          ),
        };
        continue;
      }
      // Without a filter, nothing lower is possible.
      if (threshold < lowest || threshold <= 0) continue;
      const path = attributePath(capture.service, 'default_minimum_confidence');
      yield {
        path,
        severity: 'warning',
        message: `${name} records nothing below ${threshold}, and ${copied.name} reports from ${lowest} on: a replay can try no lower threshold.`,
        fix: setFix(context, `Write ${better}`, path, better),
      };
    }
  },
};
