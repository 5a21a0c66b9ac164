import { filteredCameraModel, type ConfigEntry } from '../../parse/config-entries.ts';
import { removeAt, setAt } from '../../json/edit-json.ts';
import {
  attributeOf,
  filteredCameras,
  removeFix,
  rewriteFix,
  setFix,
  type LintContext,
  type Report,
  type Rule,
} from '../rule/rule.ts';

/** A deprecated spelling of a filtered camera, with the one to write. */
export const filterDeprecated: Rule = {
  code: 'filter-deprecated',
  *check(context) {
    for (const camera of filteredCameras(context)) {
      yield* model(context, camera);
      yield* vision(context, camera);
      yield* windows(context, camera);
    }
  },
};

function* model(context: LintContext, { model: written, path }: ConfigEntry): Iterable<Report> {
  if (written === filteredCameraModel) return;
  yield {
    path: [...path, 'model'],
    severity: 'warning',
    message: `${written} is the model of an old module, without cool-down and later rules: it is ${filteredCameraModel} today.`,
    fix: setFix(context, `Write ${filteredCameraModel}`, [...path, 'model'], filteredCameraModel),
  };
}

/** The three attributes that came before `vision_services`. Both at once is refused; see filter-refused. */
function* vision(context: LintContext, camera: ConfigEntry): Iterable<Report> {
  const name = attributeOf(camera, 'vision');
  const services = attributeOf(camera, 'vision_services');
  const maps = ['objects', 'classifications'].flatMap((key) => {
    const map = attributeOf(camera, key);
    return map ? [{ key, ...map }] : [];
  });
  if (services && services.value !== null) {
    for (const { key, path, value } of maps) {
      if (value === null || name?.value) continue;
      const message = `The machine ignores ${key} beside vision_services.`;
      yield { path, onKey: true, severity: 'warning', message, fix: removeFix(context, `Remove ${key}`, path) };
    }
    return;
  }
  if (!name || typeof name.value !== 'string' || name.value === '') return;
  const service = { vision: name.value, ...Object.fromEntries(maps.map(({ key, value }) => [key, value])) };
  yield {
    path: name.path,
    onKey: true,
    severity: 'warning',
    message: 'vision, objects and classifications are deprecated: write them into vision_services.',
    fix: rewriteFix(context, 'Write vision_services', (text) =>
      [name.path, ...maps.map(({ path }) => path)].reduce(
        (edited, path) => removeAt(edited, path),
        setAt(text, services?.path ?? [...camera.attributesPath, 'vision_services'], [service]),
      ),
    ),
  };
}

function* windows(context: LintContext, camera: ConfigEntry): Iterable<Report> {
  const both = attributeOf(camera, 'window_seconds');
  if (typeof both?.value !== 'number' || both.value < 1) return;
  const keys = ['window_seconds_before', 'window_seconds_after'];
  const values = keys.map((key) => attributeOf(camera, key)?.value ?? 0);
  if (!values.every((value) => value === 0)) return; // see filter-refused
  yield {
    path: both.path,
    onKey: true,
    severity: 'warning',
    message: 'window_seconds is deprecated: write window_seconds_before and window_seconds_after.',
    fix: rewriteFix(context, 'Write both windows', (text) =>
      removeAt(
        keys.reduce(
          (edited, key) => setAt(edited, attributeOf(camera, key)?.path ?? [...camera.attributesPath, key], both.value),
          text,
        ),
        both.path,
      ),
    ),
  };
}
