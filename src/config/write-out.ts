import { nearestCleanCamera } from './upstream-cameras.ts';
import { findEntry, listEntries, type ConfigEntry } from './config-entries.ts';
import { attributePath, readAttribute, setCameraName } from './edit-config.ts';
import { removeAt, setAt } from './edit-json.ts';
import { isObject, parseDocument } from './json-document.ts';
import type { JsonPath } from './json-path.ts';
import { defaultNormalization } from './parse-vision-service.ts';

/** A difference between the export and the text in the editor, which the user is shown. */
export interface ExportNote {
  readonly code: 'normalization-written' | 'dead-default-removed' | 'camera-moved' | 'camera-draws';
  readonly path: JsonPath;
  readonly message: string;
}

export interface ConfigText {
  readonly text: string;
  readonly notes: readonly ExportNote[];
}

export interface WriteOut {
  /** the vision services that were tuned; all where it is missing */
  readonly tuned?: readonly string[];
  /** mean and standard deviation are written if they are missing: the machine then uses 0.5 too */
  readonly defaults?: boolean;
}

/**
 * Writes out what is tuned so that the machine does what the bench shows: `default_minimum_confidence` only where no
 * `label_confidences` switch it off, `camera_name` the nearest camera upstream that draws no results, and where it is
 * asked for the default normalisation. All other characters stay.
 */
export function writeOut(text: string, { tuned, defaults = false }: WriteOut = {}): ConfigText {
  let result: ConfigText = { text, notes: [] };
  const names = listEntries(parseDocument(text))
    .filter(({ kind, name }) => kind === 'mlmodel-vision' && (tuned?.includes(name) ?? true))
    .map(({ name }) => name);
  for (const name of new Set(names)) {
    for (const write of [...(defaults ? [writeNormalization] : []), removeDeadDefault, moveCamera])
      result = write(result, name);
  }
  return result;
}

function writeNormalization(config: ConfigText, vision: string): ConfigText {
  let { text } = config;
  const notes = [...config.notes];
  for (const key of ['input_image_mean_value', 'input_image_std_dev']) {
    const { entry } = locate(text, vision);
    if (!entry) continue;
    const given = readAttribute(entry, key);
    if (given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0)) continue;
    const path = attributePath(entry, key);
    text = setAt(text, path, defaultNormalization);
    notes.push({
      code: 'normalization-written',
      path,
      message: `${vision}: ${key} is written out as the default 0.5.`,
    });
  }
  return { text, notes };
}

function removeDeadDefault(config: ConfigText, vision: string): ConfigText {
  const { entry } = locate(config.text, vision);
  if (!entry) return config;
  const labels = readAttribute(entry, 'label_confidences');
  const given = readAttribute(entry, 'default_minimum_confidence');
  if (given === undefined || !isObject(labels) || Object.keys(labels).length === 0) return config;
  const path = attributePath(entry, 'default_minimum_confidence');
  const message = `${vision}: default_minimum_confidence is left out; label_confidences alone decide.`;
  return {
    text: removeAt(config.text, path),
    notes: [...config.notes, { code: 'dead-default-removed', path, message }],
  };
}

function moveCamera(config: ConfigText, vision: string): ConfigText {
  const { entry, entries } = locate(config.text, vision);
  const camera = entry && readAttribute(entry, 'camera_name');
  if (!entry || typeof camera !== 'string' || camera === '') return config;
  const clean = nearestCleanCamera(entries, camera);
  if (clean === camera) return config;
  const path = attributePath(entry, 'camera_name');
  const note: ExportNote =
    clean === null
      ? {
          code: 'camera-draws',
          path,
          message: `${vision}: ${camera} draws results, and no camera upstream is free of them.`,
        }
      : {
          code: 'camera-moved',
          path,
          message: `${vision}: camera_name is ${clean}, as ${camera} draws results on its frames.`,
        };
  const text = clean === null ? config.text : setCameraName(config.text, vision, clean);
  return { text, notes: [...config.notes, note] };
}

function locate(text: string, vision: string): { entry: ConfigEntry | undefined; entries: readonly ConfigEntry[] } {
  const entries = listEntries(parseDocument(text));
  return { entries, entry: findEntry(entries, vision, 'mlmodel-vision') };
}
