import { findEntry, listEntries, type ConfigEntry, type EntryKind } from './config-entries.ts';
import { applyTextEdits, EditError, insertAt, removeAt, setAt, setEdits } from './edit-json.ts';
import { isObject, parseDocument } from './json-document.ts';
import type { JsonPath } from './json-path.ts';
import { labelFileOf, modelServiceOf } from './label-file.ts';
import type { VisionServiceConfig } from './machine-config.ts';
import { matchingKey } from './parse-attributes.ts';

/**
 * The edits behind the controls. Each takes the JSON text and the name of a resource and returns the new text; only
 * the characters of the edited value change. EditError `no-such-value` where no such resource exists.
 */

/** 0 switches the default off; the key stays, to be seen. */
export function setDefaultConfidence(text: string, vision: string, confidence: number): string {
  return setAttribute(text, visionEntry(text, vision), 'default_minimum_confidence', confidence);
}

/** Sets the confidence of one label (matched as the machine does, without regard to case); null takes it off the list. */
export function setLabelConfidence(text: string, vision: string, label: string, confidence: number | null): string {
  const entry = visionEntry(text, vision);
  const listed = readAttribute(entry, 'label_confidences');
  const labels = isObject(listed) ? listed : {};
  const path = [...attributePath(entry, 'label_confidences'), matchingKey(labels, label) ?? label];
  if (confidence !== null) return withoutDefault(setAt(text, path, confidence), vision);
  const lastOne = Object.keys(labels).length === 1 && matchingKey(labels, label) !== undefined;
  return removeAt(text, lastOne ? path.slice(0, -1) : path);
}

/** Replaces the whole list; an empty one is removed, so that the default rules again. */
export function setAllLabelConfidences(text: string, vision: string, labels: Readonly<Record<string, number>>): string {
  const entry = visionEntry(text, vision);
  if (Object.keys(labels).length === 0) return removeAt(text, attributePath(entry, 'label_confidences'));
  return withoutDefault(setAttribute(text, entry, 'label_confidences', labels), vision);
}

export function setMeanStd(text: string, vision: string, mean: readonly number[], std: readonly number[]): string {
  const withMean = setAttribute(text, visionEntry(text, vision), 'input_image_mean_value', mean);
  return setAttribute(withMean, visionEntry(withMean, vision), 'input_image_std_dev', std);
}

export function setBgr(text: string, vision: string, bgr: boolean): string {
  return setOrRemove(text, visionEntry(text, vision), 'input_image_bgr', bgr, !bgr);
}

/** null leaves the order to the machine's default. */
export function setBoxOrder(text: string, vision: string, order: readonly number[] | null): string {
  return setOrRemove(text, visionEntry(text, vision), 'xmin_ymin_xmax_ymax_order', order, order === null);
}

/** `names`: model's tensor name → the name that the machine requires; an empty map removes the attribute. */
export function setRemap(
  text: string,
  vision: string,
  side: 'input' | 'output',
  names: Readonly<Record<string, string>>,
): string {
  const key = `remap_${side}_names`;
  return setOrRemove(text, visionEntry(text, vision), key, names, Object.keys(names).length === 0);
}

/** The attributes of a vision service that say how a model is fed and read; what is missing stays as it is. */
export type ModelAttributes = Partial<
  Pick<VisionServiceConfig, 'remapInputNames' | 'remapOutputNames' | 'boxOrder' | 'bgr' | 'meanValue' | 'stdDev'>
>;

/** Writes several of them at once: one step to undo. */
export function setModelAttributes(text: string, vision: string, attributes: ModelAttributes): string {
  const { remapInputNames, remapOutputNames, boxOrder, bgr, meanValue, stdDev } = attributes;
  let edited = text;
  if (remapInputNames) edited = setRemap(edited, vision, 'input', remapInputNames);
  if (remapOutputNames) edited = setRemap(edited, vision, 'output', remapOutputNames);
  if (boxOrder !== undefined) edited = setBoxOrder(edited, vision, boxOrder);
  if (bgr !== undefined) edited = setBgr(edited, vision, bgr);
  if (meanValue && stdDev) edited = setMeanStd(edited, vision, meanValue, stdDev);
  return edited;
}

/** The default camera of a vision service; '' removes the attribute. */
export function setCameraName(text: string, vision: string, camera: string): string {
  return setOrRemove(text, visionEntry(text, vision), 'camera_name', camera, camera === '');
}

/**
 * Names the label file that the machine reads for a vision service: where one is named already, else in its ML model
 * service, else (the text does not show that) in the vision service. '' names none.
 */
export function nameLabelFile(text: string, vision: string, path: string): string {
  const entries = listEntries(parseDocument(text));
  const service = visionEntry(text, vision);
  const named = labelFileOf(entries, vision);
  if (path !== '')
    return setAttribute(text, named?.namedBy ?? modelServiceOf(entries, vision) ?? service, 'label_path', path);
  return named ? nameLabelFile(removeAt(text, attributePath(named.namedBy, 'label_path')), vision, '') : text;
}

/** Names the ML model service that a vision service runs. */
export function setModelService(text: string, vision: string, name: string): string {
  return setAttribute(text, visionEntry(text, vision), 'mlmodel_name', name);
}

/** Gives the ML model service of a vision service another module, and the file that it runs. @throws where none is shown */
export function setModelFile(text: string, vision: string, module: string, path: string): string {
  const shown = (edited: string) => modelServiceOf(listEntries(parseDocument(edited)), vision);
  const service = shown(text);
  if (!service) throw noResource('ML model service of', vision);
  const edited = applyTextEdits(text, setEdits(text, [...service.path, 'model'], module));
  return setAttribute(edited, shown(edited) ?? service, 'model_path', path);
}

/** Appends a transform camera; without steps it gets the pass-through step, as the machine refuses an empty pipeline. */
export function addTransformCamera(
  text: string,
  camera: { readonly name: string; readonly source: string; readonly pipeline?: readonly unknown[] },
): string {
  const pipeline = camera.pipeline?.length ? camera.pipeline : [{ type: '' }];
  return appendTo(text, 'components', {
    name: camera.name,
    api: 'rdk:component:camera',
    model: 'transform',
    attributes: { source: camera.source, pipeline },
  });
}

/** A name that no resource has yet: the wanted one, else with -2, -3 and so on. */
export function freeName(text: string, wanted: string): string {
  const taken = new Set(listEntries(parseDocument(text)).map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) {
    if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
  }
}

function visionEntry(text: string, name: string): ConfigEntry {
  return entryNamed(text, name, 'vision service', 'mlmodel-vision');
}

export function transformEntry(text: string, name: string): ConfigEntry {
  return entryNamed(text, name, 'transform camera', 'transform-camera');
}

/** Where an attribute stands, or would: under the key that the machine already reads it from. */
export function attributePath(entry: ConfigEntry, key: string): JsonPath {
  return [...entry.attributesPath, matchingKey(entry.attributes, key) ?? key];
}

export function readAttribute(entry: ConfigEntry, key: string): unknown {
  const written = matchingKey(entry.attributes, key);
  return written === undefined ? undefined : entry.attributes[written];
}

function setAttribute(text: string, entry: ConfigEntry, key: string, value: unknown): string {
  return applyTextEdits(text, setEdits(text, attributePath(entry, key), value));
}

function setOrRemove(text: string, entry: ConfigEntry, key: string, value: unknown, remove: boolean): string {
  return remove ? removeAt(text, attributePath(entry, key)) : setAttribute(text, entry, key, value);
}

/** A default beside a list of labels is dead weight on the machine: the list alone decides. */
function withoutDefault(text: string, vision: string): string {
  return removeAt(text, attributePath(visionEntry(text, vision), 'default_minimum_confidence'));
}

function appendTo(text: string, section: 'components' | 'services', entry: unknown): string {
  return insertAt(text, [section], Infinity, entry);
}

function entryNamed(text: string, name: string, noun: string, kind: EntryKind): ConfigEntry {
  const entry = findEntry(listEntries(parseDocument(text)), name, kind);
  if (!entry) throw noResource(noun, name);
  return entry;
}

function noResource(noun: string, name: string): EditError {
  return new EditError('no-such-value', `The configuration has no ${noun} named "${name}".`);
}
