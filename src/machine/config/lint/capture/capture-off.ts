import {
  captureControlSensor,
  captureSetting,
  dataManagers,
  filterCaptures,
  unseenDataManager,
  visionCaptures,
} from '../../edit/data-capture.ts';
import { addDataManager, isOwnDataManager } from '../../edit/edit-recorder.ts';
import { attributeOf, removeFix, rewriteFix, setFix, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/** Captures of vision services and filtered cameras that never happen, because something switches them off. */
export const captureOff: Rule = {
  code: 'capture-off',
  *check(context) {
    const captures = [...filterCaptures(context.document), ...visionCaptures(context.document)];
    if (captures.length === 0) return;
    yield* managers(context, captures[0]!.path);
    const sensor = captureControlSensor(context.document);
    for (const capture of captures) {
      const disabled = captureSetting(capture, 'disabled');
      const written = captureSetting(capture, 'capture_frequency_hz');
      const isOff = typeof (written.value ?? 0) === 'number' && !(Number(written.value ?? 0) > 0);
      if (sensor !== '' && (disabled.value === true || isOff)) {
        yield {
          path: disabled.value === true ? disabled.path : written.path,
          severity: 'info',
          message: `Whether ${capture.service.name} is captured is decided at run time, by the sensor ${sensor}.`,
        };
        continue;
      }
      if (disabled.value === true) {
        yield {
          path: disabled.path,
          severity: 'warning',
          message: `Nothing of ${capture.service.name} is captured while disabled is true.`,
          fix: removeFix(context, 'Capture it', disabled.path),
        };
      }
      const { path, value = 0 } = written;
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
