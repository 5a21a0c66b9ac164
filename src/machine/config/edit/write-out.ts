import { nearestCleanCamera } from '../parse/upstream-cameras.ts';
import { findEntry, listEntries, type ConfigEntry } from '../parse/config-entries.ts';
import { attributePath, readAttribute } from './edit-config.ts';
import { setAt } from '../json/edit-json.ts';
import { isObject, parseDocument } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';
import { defaultNormalization } from '../parse/parse-vision-service.ts';

/** What the user is told of an export: a difference from the text in the editor, or what the machine makes of it. */
export interface ExportNote {
  readonly code: 'normalization-written' | 'default-ignored' | 'camera-draws';
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
 * Writes out what is tuned: every character stays, but for the default normalisation where it is asked for. What the machine
 * does with it unexpectedly is noted; only lint mends it, by a click.
 */
export function writeOut(text: string, { tuned, defaults = false }: WriteOut = {}): ConfigText {
  let result: ConfigText = { text, notes: [] };
  const names = listEntries(parseDocument(text))
    .filter(({ kind, name }) => kind === 'mlmodel-vision' && (tuned?.includes(name) ?? true))
    .map(({ name }) => name);
  for (const name of new Set(names)) {
    if (defaults) result = writeNormalization(result, name);
    result = { text: result.text, notes: [...result.notes, ...notesOn(result.text, name)] };
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

function* notesOn(text: string, vision: string): Generator<ExportNote> {
  const { entry, entries } = locate(text, vision);
  if (!entry) return;
  const labels = readAttribute(entry, 'label_confidences');
  const given = readAttribute(entry, 'default_minimum_confidence') ?? null;
  if (given !== null && isObject(labels) && Object.keys(labels).length > 0) {
    const message = `${vision}: default_minimum_confidence has no effect; label_confidences alone decide.`;
    yield { code: 'default-ignored', path: attributePath(entry, 'default_minimum_confidence'), message };
  }
  const camera = readAttribute(entry, 'camera_name');
  if (typeof camera !== 'string' || camera === '' || nearestCleanCamera(entries, camera) === camera) return;
  const message = `${vision}: ${camera} draws results on its frames, which the model would see.`;
  yield { code: 'camera-draws', path: attributePath(entry, 'camera_name'), message };
}

function locate(text: string, vision: string): { entry: ConfigEntry | undefined; entries: readonly ConfigEntry[] } {
  const entries = listEntries(parseDocument(text));
  return { entries, entry: findEntry(entries, vision, 'mlmodel-vision') };
}
