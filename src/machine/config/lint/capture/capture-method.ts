import {
  captureAllMethod,
  captureLists,
  captureParameter,
  captureSetting,
  keepsPictures,
  visionCaptures,
  type VisionCapture,
} from '../../edit/data-capture.ts';
import { anyCamera, findEntry } from '../../parse/config-entries.ts';
import { readAttribute } from '../../edit/edit-config.ts';
import { lowestThreshold, recorderParameter } from '../../edit/recorder.ts';
import { isObject } from '../../json/json-document.ts';
import { wholenessOf } from '../../parse/wholeness.ts';
import { refusesAll } from '../entries/config-shape.ts';
import { removeFix, setFix, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/** What the machine captures of vision services, by the collectors that it has. */
const methods: readonly unknown[] = [captureAllMethod, 'DoCommand'];

/** Types that the machine's decoder insists on; a value of another type is one for which it refuses everything. */
const settingTypes: Readonly<Record<string, readonly [words: string, check: (value: unknown) => boolean]>> = {
  method: ['a text', (value) => typeof value === 'string'],
  capture_frequency_hz: ['a number', (value) => typeof value === 'number'],
  disabled: ['true or false', (value) => typeof value === 'boolean'],
  additional_params: ['an object in braces', isObject],
};

/** A capture of a vision service that the machine refuses, or for which it builds no collector. */
export const captureMethod: Rule = {
  code: 'capture-method',
  *check(context) {
    for (const { path, value } of captureLists(context.document)) {
      if (Array.isArray(value) || value === null) continue;
      const message = `capture_methods must be a list.${refusesAll}`;
      yield { path, severity: 'error', message, fix: removeFix(context, 'Remove it', path) };
    }
    for (const capture of visionCaptures(context.document)) {
      yield* mistyped(context, capture);
      const method = captureSetting(capture, 'method');
      if (keepsPictures(capture)) yield* parameters(context, capture);
      if (typeof method.value !== 'string' || methods.includes(method.value)) continue;
      yield {
        path: method.path,
        severity: 'error',
        message: `The machine captures nothing: of a vision service it takes no "${method.value}", only ${captureAllMethod}, with this case.`,
        fix: setFix(context, `Write ${captureAllMethod}`, method.path, captureAllMethod),
      };
    }
  },
};

function* mistyped(context: LintContext, capture: VisionCapture): Iterable<Report> {
  for (const [key, [words, isRight]] of Object.entries(settingTypes)) {
    const { path, value } = captureSetting(capture, key);
    if (value === undefined || value === null || isRight(value)) continue;
    const message = `${key} must be ${words}.${refusesAll}`;
    yield { path, severity: 'error', message, fix: removeFix(context, 'Remove it', path) };
  }
}

function* parameters(context: LintContext, capture: VisionCapture): Iterable<Report> {
  const params = captureSetting(capture, 'additional_params').value;
  if (params !== undefined && params !== null && !isObject(params)) return;
  yield* camera(context, capture);
  const { path, value } = captureParameter(capture, 'min_confidence_score');
  if (typeof value !== 'number') return;
  const fix = setFix(context, 'Write 0', path, 0);
  if (value < 0 || value > 1) {
    const message = `The machine captures nothing: min_confidence_score must be between 0 and 1, not ${value}.`;
    yield { path, severity: 'error', message, fix };
    return;
  }
  const { service } = capture;
  // A colour is always found with score 1, and what other models report is not known.
  if (service.kind !== 'mlmodel-vision' || value <= lowestThreshold(service)) return;
  // A recorder is to keep all; elsewhere the limit may be meant.
  const severity = typeof captureParameter(capture, recorderParameter).value === 'string' ? 'warning' : 'info';
  yield { path, severity, message: `The data manager drops results below ${value} that ${service.name} reports.`, fix };
}

function* camera(context: LintContext, capture: VisionCapture): Iterable<Report> {
  const { path, value } = captureParameter(capture, 'camera_name');
  const own = readAttribute(capture.service, 'camera_name');
  const fix = typeof own === 'string' && own !== '' ? setFix(context, `Use "${own}"`, path, own) : undefined;
  if (value === undefined || (value === '' && !fix)) {
    const message = 'The machine captures nothing: additional_params must name a camera as camera_name.';
    yield { path, severity: 'error', message, ...(fix && { fix }) };
  }
  if (typeof value !== 'string' || value === '') return;
  if (findEntry(context.entries, value, ...anyCamera)) return;
  const wholeness = wholenessOf(context.document);
  yield {
    path,
    severity: wholeness.whole ? 'error' : 'warning',
    message: wholeness.whole
      ? `No camera is named "${value}": each capture fails.`
      : `No camera here is named "${value}"; that is only a warning because ${wholeness.because}.`,
    ...(fix && own !== value && { fix }),
  };
}
