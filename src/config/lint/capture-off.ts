import { captureSetting, dataManagers, hasFragments, visionCaptures } from '../data-capture.ts';
import { addDataManager } from '../edit-recorder.ts';
import { attributeOf, removeFix, rewriteFix, setFix, type LintContext, type Report, type Rule } from './rule.ts';

/** Captures of vision services that never happen, because something switches them off. */
export const captureOff: Rule = {
  code: 'capture-off',
  *check(context) {
    const captures = visionCaptures(context.document);
    if (captures.length === 0) return;
    yield* managers(context, captures[0]!.path);
    for (const capture of captures) {
      const disabled = captureSetting(capture, 'disabled');
      if (disabled.value === true) {
        yield {
          path: disabled.path,
          severity: 'warning',
          message: `Nothing of ${capture.service.name} is captured while disabled is true.`,
          fix: removeFix(context, 'Capture it', disabled.path),
        };
      }
      const { path, value = 0 } = captureSetting(capture, 'capture_frequency_hz');
      if (typeof value !== 'number' || value > 0) continue;
      yield {
        path,
        severity: 'warning',
        message: `Nothing of ${capture.service.name} is captured ${value} times a second.`,
        fix: setFix(context, 'Capture once a second', path, 1),
      };
    }
  },
};

function* managers(context: LintContext, capture: Report['path']): Iterable<Report> {
  const [manager, second] = dataManagers(context.document);
  if (!manager) {
    const unless = hasFragments(context.document) ? ' unless a fragment brings one' : '';
    yield {
      path: capture,
      severity: 'warning',
      message: `There is no data manager, so that nothing is captured${unless}.`,
      fix: rewriteFix(context, 'Add a data manager', addDataManager),
    };
    return;
  }
  if (second) {
    yield {
      path: second.path,
      severity: 'error',
      message: `The machine builds only one data manager: "${manager.name}" or "${second.name}", it is not said which.`,
      fix: removeFix(context, `Remove "${second.name}"`, second.path),
    };
  }
  const disabled = attributeOf(manager, 'capture_disabled');
  if (disabled?.value !== true) return;
  yield {
    path: disabled.path,
    severity: 'warning',
    message: 'Nothing is captured while capture_disabled is true.',
    fix: removeFix(context, 'Capture', disabled.path),
  };
}
