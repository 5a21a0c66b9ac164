import { conditionalCameraFields } from '../../parse/attribute-fields.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import { parseAttributes, type Attributes } from '../../parse/parse-attributes.ts';
import { genericServiceApi } from '../../parse/schema-at.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import type { Fix } from '../rule/finding.ts';
import {
  attributeOf,
  conditionalCameras,
  removeFix,
  setFix,
  type LintContext,
  type Report,
  type Rule,
  type Written,
} from '../rule/rule.ts';

/** A conditional camera that its module does not build, or of which the bench cannot tell what is kept. */
export const conditionalCamera: Rule = {
  code: 'conditional-camera',
  *check(context) {
    for (const camera of conditionalCameras(context)) {
      const { value, errors } = parseAttributes(camera.attributes, conditionalCameraFields);
      if (errors.length > 0) continue; // see wrong-type
      const refusal = refusalOf(context, camera, value);
      if (refusal) yield refusal;
      else yield* serviceOf(context, camera, value.filter_service);
    }
  },
};

type Read = Attributes<typeof conditionalCameraFields>;

/** The first refusal, in the order of the module. */
function refusalOf(context: LintContext, camera: ConfigEntry, read: Read): Report | null {
  const both = read.window_seconds;
  const checks: readonly (readonly [isRefused: boolean, key: keyof Read, words: string])[] = [
    [read.camera === '', 'camera', 'A conditional camera needs a camera'],
    [read.filter_service === '', 'filter_service', 'A conditional camera needs a filter_service'],
    [read.image_frequency < 0, 'image_frequency', 'image_frequency is below 0'],
    ...(['window_seconds', 'window_seconds_before', 'window_seconds_after'] as const).map(
      (key) => [read[key] < 0, key, 'A window is below 0'] as const,
    ),
    [
      both > 0 && (read.window_seconds_before > 0 || read.window_seconds_after > 0),
      'window_seconds',
      'window_seconds is given beside the windows before and after',
    ],
    [read.cooldown_s < 0, 'cooldown_s', 'cooldown_s is below 0'],
  ];
  const refused = checks.find(([isRefused]) => isRefused);
  if (!refused) return null;
  const [, key, words] = refused;
  const { path, value } = placeOf(camera, key);
  return {
    path,
    severity: 'error',
    message: `${words}: the machine does not build the camera.`,
    ...(typeof value === 'number' && { fix: removeFix(context, 'Remove it', path) }),
  };
}

function* serviceOf(context: LintContext, camera: ConfigEntry, service: string): Iterable<Report> {
  const { path } = placeOf(camera, 'filter_service');
  const generic = context.entries.filter(({ api, name }) => api === genericServiceApi && name !== '');
  const names = generic.map(({ name }) => name);
  if (context.closed && !names.includes(service)) {
    const near = names.length === 1 ? names[0] : didYouMean(service, names);
    const fix: Fix | undefined = near === undefined ? undefined : setFix(context, `Use "${near}"`, path, near);
    const message = `No generic service is named "${service}": the machine does not build ${camera.name || 'the camera'}.${suggestion(near)}`;
    yield { path, severity: 'warning', message, ...(fix && { fix }) }; // a module may bring the service
    return;
  }
  const message = `The service ${service} decides at run time what ${camera.name || 'the camera'} keeps. It does not run here: nothing is previewed.`;
  yield { path, severity: 'info', message };
}

function placeOf(camera: ConfigEntry, key: string): Written {
  return attributeOf(camera, key) ?? { path: [...camera.attributesPath, key], value: undefined };
}
