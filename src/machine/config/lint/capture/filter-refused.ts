import { isCamera } from '../../parse/config-entries.ts';
import { setAt } from '../../json/edit-json.ts';
import type { JsonPath } from '../../json/json-path.ts';
import { decodeFilteredCamera } from '../../parse/parse-filtered-camera.ts';
import {
  defaultImageFrequencyHz,
  filterRefusal,
  type FilterRefusal,
  type FilterRefusalCode,
} from '../../../vision/face/filtered-cameras.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import type { Fix } from '../rule/finding.ts';
import { isVision } from './filter-service.ts';
import {
  attributeOf,
  filteredCameras,
  removeFix,
  rewriteFix,
  setFix,
  type LintContext,
  type Rule,
} from '../rule/rule.ts';

/** A filtered camera that its module does not build. */
export const filterRefused: Rule = {
  code: 'filter-refused',
  *check(context) {
    for (const camera of filteredCameras(context)) {
      const { value, errors } = decodeFilteredCamera(camera.attributes);
      if (errors.length > 0) continue; // see wrong-type
      const refusal = filterRefusal(value);
      if (!refusal) continue;
      const path = writtenPath(camera, refusal.path);
      const fix = fixOf(context, camera, refusal, path, value.vision_services?.length === 0);
      yield {
        path,
        severity: 'error',
        message: `${words[refusal.code]}: the machine does not build the camera.`,
        ...(fix && { fix }),
      };
    }
  },
};

const words: Readonly<Record<FilterRefusalCode, string>> = {
  'no-camera': 'A filtered camera needs a camera',
  'no-vision-service': 'A filtered camera needs vision_services',
  'two-spellings': 'vision and vision_services are both given',
  'negative-frequency': 'image_frequency is below 0',
  'no-window': 'No second before or after a trigger is kept',
  'negative-window': 'A window is below 0',
  'two-windows': 'window_seconds is given beside the windows before and after',
  'negative-cooldown': 'cooldown_s is below 0',
  'unnamed-vision-service': 'The entry names no vision service',
};

/** A refusal names attributes as they are documented; in the text they may have another case. */
function writtenPath(camera: ConfigEntry, [key, ...inside]: FilterRefusal['path']): JsonPath {
  return [...(attributeOf(camera, String(key))?.path ?? [...camera.attributesPath, String(key)]), ...inside];
}

function fixOf(
  context: LintContext,
  camera: ConfigEntry,
  { code }: FilterRefusal,
  path: JsonPath,
  hasNoService: boolean,
): Fix | undefined {
  const only = (isMeant: (entry: ConfigEntry) => boolean): string | undefined => {
    const named = context.entries.filter((entry) => isMeant(entry) && entry.name !== '');
    return named.length === 1 ? named[0]!.name : undefined;
  };
  const use = (name: string | undefined): Fix | undefined =>
    name === undefined ? undefined : setFix(context, `Use "${name}"`, path, name);
  const keyPath = (key: string): JsonPath => writtenPath(camera, [key]);
  switch (code) {
    case 'no-camera':
      return use(only((entry) => isCamera(entry.kind) && entry.name !== camera.name));
    case 'unnamed-vision-service':
      return use(only(isVision));
    case 'no-vision-service':
      return undefined;
    case 'two-spellings':
      return hasNoService
        ? removeFix(context, 'Remove the empty vision_services', keyPath('vision_services'))
        : removeFix(context, 'Remove vision', path);
    case 'negative-frequency':
      return removeFix(context, `Use the default ${defaultImageFrequencyHz}`, path);
    case 'no-window':
      return rewriteFix(context, 'Keep 5 s before and after', (text) =>
        ['window_seconds_before', 'window_seconds_after'].reduce((edited, key) => setAt(edited, keyPath(key), 5), text),
      );
    case 'two-windows':
      return removeFix(context, 'Remove window_seconds', path);
    case 'negative-window':
    case 'negative-cooldown':
      return removeFix(context, 'Remove it', path);
  }
}
