import { captureSetting, dataManagers, unseenDataManager, visionCaptures } from '../data-capture.ts';
import { addDataManager, isOwnDataManager } from '../edit-recorder.ts';
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
  const { document } = context;
  const managers = dataManagers(document);
  const [first, second] = managers;
  if (!first) {
    const unseen = unseenDataManager(document);
    yield {
      path: capture,
      severity: unseen ? 'info' : 'warning',
      message: `There is no data manager, so nothing is captured${unseen && ` unless ${unseen}`}.`,
      ...(!unseen && { fix: rewriteFix(context, 'Add a data manager', addDataManager) }),
    };
    return;
  }
  // The one that came with a recorder has no settings to lose.
  const surplus = second && (managers.find((manager) => isOwnDataManager(document, manager)) ?? second);
  if (surplus) {
    yield {
      path: surplus.path,
      severity: 'error',
      message: `The machine builds only one data manager: "${first.name}" or "${second.name}", it is not said which.`,
      fix: removeFix(context, `Remove "${surplus.name}"`, surplus.path),
    };
  }
  const disabled = attributeOf(second && surplus === first ? second : first, 'capture_disabled');
  if (disabled?.value !== true) return;
  yield {
    path: disabled.path,
    severity: 'warning',
    message: 'Nothing is captured while capture_disabled is true.',
    fix: removeFix(context, 'Capture', disabled.path),
  };
}
