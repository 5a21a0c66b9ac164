import { listEntries, type ConfigEntry } from '../parse/config-entries.ts';
import { applyTextEdits, removeAt, setAt } from '../json/edit-json.ts';
import { attributePath, readAttribute, visionEntry } from './edit-config.ts';
import { isObject, nodeAt, parseDocument, type JsonObject } from '../json/json-document.ts';
import { sameJson } from '../json/json-patch.ts';
import { modelServiceOf } from '../parse/label-file.ts';

/**
 * What the entries of a configuration say of the model that a vision service runs: how it is fed and read, its thresholds,
 * its files. Of another model all of it may be different.
 */
export interface ModelSettings {
  /** attributes of the vision service, among `ofVision` */
  readonly vision: JsonObject;
  /** attributes of the ML model service; null: the text does not show it */
  readonly file: ModelFileSettings | null;
  /** the attributes as they were written, to come back to the character where nothing else of them changed; default: unknown */
  readonly written?: { readonly vision: string; readonly file: string } | undefined;
}

export interface ModelFileSettings {
  /** such as `viam:mlmodel:onnx-cpu` */
  readonly module: string;
  /** `model_path` and `label_path`, where they are given */
  readonly attributes: JsonObject;
}

/** The attributes of a vision service that say how its model is fed and read. */
export const feedingAttributes = [
  'input_image_mean_value',
  'input_image_std_dev',
  'input_image_bgr',
  'xmin_ymin_xmax_ymax_order',
  'remap_input_names',
  'remap_output_names',
] as const;

const ofVision = [...feedingAttributes, 'default_minimum_confidence', 'label_confidences', 'label_path'] as const;

const ofFile = ['model_path', 'label_path'] as const;

/**
 * Reads what a configuration says of the model that a vision service runs.
 * @param text JSON of the machine configuration
 * @param vision name of the vision service
 * @returns values as they stand in the text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const attributes = { camera_name: 'cam', input_image_bgr: true };
 * const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes };
 * readModelSettings(JSON.stringify({ services: [service] }), 'v').vision; // => { input_image_bgr: true }
 */
export function readModelSettings(text: string, vision: string): ModelSettings {
  const service = visionEntry(text, vision);
  const model = modelServiceOf(listEntries(parseDocument(text)), vision);
  return {
    vision: given(service, ofVision),
    file: model ? { module: model.model, attributes: given(model, ofFile) } : null,
    written: { vision: writtenIn(text, service), file: model ? writtenIn(text, model) : '' },
  };
}

/**
 * Makes a configuration say of the model of a vision service what is given, and nothing else of what belongs to a model.
 * @param text JSON of the machine configuration
 * @param vision name of the vision service
 * @param settings of the model that it is to describe; those of a model service that the text does not show are left out
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such vision service
 * @example
 * const attributes = { camera_name: 'cam', input_image_bgr: true };
 * const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes };
 * const settings = { vision: { default_minimum_confidence: 0.5 }, file: null };
 * const edited = writeModelSettings(JSON.stringify({ services: [service] }), 'v', settings);
 * JSON.parse(edited).services[0].attributes; // => { camera_name: 'cam', default_minimum_confidence: 0.5 }
 */
export function writeModelSettings(
  text: string,
  vision: string,
  { vision: own, file, written }: ModelSettings,
): string {
  const service = (edited: string) => visionEntry(edited, vision);
  const named = (edited: string) => modelServiceOf(listEntries(parseDocument(edited)), vision);
  let edited = asWritten(withAttributes(text, service, ofVision, own), service, written?.vision);
  const model = named(edited);
  if (!model || !file) return edited;
  if (model.model !== file.module) edited = setAt(edited, [...model.path, 'model'], file.module);
  return asWritten(withAttributes(edited, named, ofFile, file.attributes), named, written?.file);
}

/**
 * Settings of a model with what was changed in those of another: an attribute that was set, changed or removed between
 * `before` and `now`, and of `label_confidences` the labels concerned. Module and `model_path` stay.
 * @param settings to which the changes are added
 * @param before as the configuration described the other model at first
 * @param now as it describes it later
 * @returns the settings with the changes
 * @example
 * const own = { vision: { default_minimum_confidence: 0.5 }, file: null };
 * const before = { vision: { input_image_bgr: true }, file: null };
 * const now = { vision: { input_image_bgr: true, label_path: 'own.txt' }, file: null };
 * withChanges(own, before, now).vision; // => { default_minimum_confidence: 0.5, label_path: 'own.txt' }
 */
export function withChanges(settings: ModelSettings, before: ModelSettings, now: ModelSettings): ModelSettings {
  const { vision, file } = settings;
  const labelPath = ({ file: own }: ModelSettings): JsonObject =>
    own?.attributes['label_path'] === undefined ? {} : { label_path: own.attributes['label_path'] };
  return {
    ...settings,
    vision: changedAs(vision, before.vision, now.vision),
    file: file && { ...file, attributes: changedAs(file.attributes, labelPath(before), labelPath(now)) },
  };
}

function changedAs(values: JsonObject, before: JsonObject, now: JsonObject): JsonObject {
  const changed = new Map(Object.entries(values));
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [own, old, value] = [values[key], before[key], now[key]];
    if (sameJson(old, value)) continue;
    if (value === undefined) changed.delete(key);
    else if (isObject(value)) changed.set(key, changedAs(isObject(own) ? own : {}, isObject(old) ? old : {}, value));
    else changed.set(key, value);
  }
  return Object.fromEntries(changed);
}

type Find = (text: string) => ConfigEntry | undefined;

function given(entry: ConfigEntry, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, valueOf(entry, key)]).filter(([, value]) => value !== undefined));
}

/** A module decodes its attributes by itself; the vision service's are matched without regard to case. */
function valueOf(entry: ConfigEntry, key: string): unknown {
  return entry.kind === 'mlmodel' ? entry.attributes[key] : readAttribute(entry, key);
}

function withAttributes(text: string, find: Find, keys: readonly string[], values: JsonObject): string {
  let edited = text;
  for (const key of keys) {
    const entry = find(edited)!;
    const path = entry.kind === 'mlmodel' ? [...entry.attributesPath, key] : attributePath(entry, key);
    if (values[key] === undefined) edited = removeAt(edited, path);
    else if (!sameJson(valueOf(entry, key), values[key])) edited = setAt(edited, path, values[key]);
  }
  return edited;
}

function writtenIn(text: string, { attributesPath }: ConfigEntry): string {
  const node = nodeAt(parseDocument(text).root, attributesPath);
  return node ? text.slice(node.offset, node.offset + node.length) : '';
}

/** Keeps order and spelling of attributes that are the same again. */
function asWritten(text: string, find: Find, written: string | undefined): string {
  const entry = find(text)!;
  const node = nodeAt(parseDocument(text).root, entry.attributesPath);
  if (!node || !written) return text;
  const { value } = parseDocument(written);
  return isObject(value) && sameJson(value, entry.attributes)
    ? applyTextEdits(text, [{ offset: node.offset, length: node.length, content: written }])
    : text;
}
