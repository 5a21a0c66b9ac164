import { findEntry, listEntries, type ConfigEntry, type EntryKind } from '../parse/config-entries.ts';
import { applyTextEdits, EditError, insertAt, removeAt, setAt, setEdits, setMembers } from '../json/edit-json.ts';
import { isObject, parseDocument, type JsonObject } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';
import { labelFileOf, modelServiceOf } from '../parse/label-file.ts';
import type { VisionServiceConfig } from '../parse/machine-config.ts';
import { matchingKey } from '../parse/parse-attributes.ts';

/**
 * The edits behind the controls. Each takes the JSON text and the name of a resource and returns the new text; only
 * the characters of the edited value change. EditError `no-such-value` where no such resource exists.
 */

/**
 * Sets the default minimum confidence of a vision service.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param confidence 0..1; 0 turns the default off, and the key stays, so that it is seen
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * JSON.parse(setDefaultConfidence(text, 'v', 0.4)).services[0].attributes; // => { default_minimum_confidence: 0.4 }
 */
export function setDefaultConfidence(text: string, vision: string, confidence: number): string {
  return setAttribute(text, visionEntry(text, vision), 'default_minimum_confidence', confidence);
}

/**
 * Sets the minimum confidence of one label. Labels are matched without regard to case, as on the machine.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param label whose confidence is set
 * @param confidence 0..1; null removes the label from the list
 * @returns the new text; a default stays, though the machine ignores it beside a list of labels
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * JSON.parse(setLabelConfidence(text, 'v', 'cat', 0.4)).services[0].attributes; // => { label_confidences: { cat: 0.4 } }
 */
export function setLabelConfidence(text: string, vision: string, label: string, confidence: number | null): string {
  const entry = visionEntry(text, vision);
  const listed = readAttribute(entry, 'label_confidences');
  const labels = isObject(listed) ? listed : {};
  const path = [...attributePath(entry, 'label_confidences'), listedAs(labels, label) ?? label];
  if (confidence !== null) return setAt(text, path, confidence);
  const lastOne = Object.keys(labels).length === 1 && listedAs(labels, label) !== undefined;
  return removeAt(text, lastOne ? path.slice(0, -1) : path);
}

/**
 * Replaces the list of label confidences. Entries whose confidence stays keep every character.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param labels confidence by label, 0..1; an empty list is removed, so that the default applies again
 * @returns the new text; a default stays, though the machine ignores it beside a list of labels
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const edited = setAllLabelConfidences(text, 'v', { cat: 0.4, dog: 0.6 });
 * JSON.parse(edited).services[0].attributes.label_confidences; // => { cat: 0.4, dog: 0.6 }
 */
export function setAllLabelConfidences(text: string, vision: string, labels: Readonly<Record<string, number>>): string {
  const entry = visionEntry(text, vision);
  const path = attributePath(entry, 'label_confidences');
  if (Object.keys(labels).length === 0) return removeAt(text, path);
  return setMembers(text, path, labels);
}

/**
 * Sets how pixel values are normalized: (value − mean) / standard deviation.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param mean one number a channel, in the units of the model's input
 * @param std one number a channel
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const edited = setMeanStd(text, 'v', [0, 0, 0], [255, 255, 255]);
 * JSON.parse(edited).services[0].attributes.input_image_std_dev; // => [255, 255, 255]
 */
export function setMeanStd(text: string, vision: string, mean: readonly number[], std: readonly number[]): string {
  const withMean = setAttribute(text, visionEntry(text, vision), 'input_image_mean_value', mean);
  return setAttribute(withMean, visionEntry(withMean, vision), 'input_image_std_dev', std);
}

/**
 * Sets whether the model is fed blue, green, red instead of red, green, blue.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param bgr false removes the attribute
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * JSON.parse(setBgr(text, 'v', true)).services[0].attributes; // => { input_image_bgr: true }
 */
export function setBgr(text: string, vision: string, bgr: boolean): string {
  return setOrRemove(text, visionEntry(text, vision), 'input_image_bgr', bgr, !bgr);
}

/**
 * Sets in which order a model gives the edges of a box.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param order positions of xMin, yMin, xMax and yMax; null: the machine's default
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const edited = setBoxOrder(text, 'v', [1, 0, 3, 2]);
 * JSON.parse(edited).services[0].attributes; // => { xmin_ymin_xmax_ymax_order: [1, 0, 3, 2] }
 */
export function setBoxOrder(text: string, vision: string, order: readonly number[] | null): string {
  return setOrRemove(text, visionEntry(text, vision), 'xmin_ymin_xmax_ymax_order', order, order === null);
}

/**
 * Sets which tensor of a model has which of the names that the machine requires.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param side of the model
 * @param names the machine's name by the model's name; an empty map removes the attribute
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const edited = setRemap(text, 'v', 'input', { images: 'image' });
 * JSON.parse(edited).services[0].attributes; // => { remap_input_names: { images: 'image' } }
 */
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

/**
 * Sets several attributes that say how a model is fed and read, as one edit.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param attributes those that are missing stay as they are
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const edited = setModelAttributes(text, 'v', { bgr: true, boxOrder: [1, 0, 3, 2] });
 * Object.keys(JSON.parse(edited).services[0].attributes); // => ['xmin_ymin_xmax_ymax_order', 'input_image_bgr']
 */
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

/**
 * Sets the default camera of a vision service.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param camera its name; '' removes the attribute
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * JSON.parse(setCameraName(text, 'v', 'front')).services[0].attributes; // => { camera_name: 'front' }
 */
export function setCameraName(text: string, vision: string, camera: string): string {
  return setOrRemove(text, visionEntry(text, vision), 'camera_name', camera, camera === '');
}

/**
 * Sets which label file the machine reads for a vision service. It is written where one is named already; otherwise into
 * its ML model service; otherwise, if the text does not show that, into the vision service.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param path on the machine; '' removes every `label_path` that counts for the service
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * JSON.parse(nameLabelFile(text, 'v', 'pets.txt')).services[0].attributes; // => { label_path: 'pets.txt' }
 */
export function nameLabelFile(text: string, vision: string, path: string): string {
  const entries = listEntries(parseDocument(text));
  const service = visionEntry(text, vision);
  const named = labelFileOf(entries, vision);
  if (path !== '')
    return setAttribute(text, named?.namedBy ?? modelServiceOf(entries, vision) ?? service, 'label_path', path);
  return named ? nameLabelFile(removeAt(text, attributePath(named.namedBy, 'label_path')), vision, '') : text;
}

/**
 * Sets which ML model service a vision service runs.
 * @param text JSON of the machine configuration
 * @param vision name of the vision service
 * @param name of the ML model service
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such vision service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * JSON.parse(setModelService(text, 'v', 'm')).services[0].attributes; // => { mlmodel_name: 'm' }
 */
export function setModelService(text: string, vision: string, name: string): string {
  return setAttribute(text, visionEntry(text, vision), 'mlmodel_name', name);
}

/**
 * Sets the module and the file of the ML model service that a vision service runs.
 * @param text JSON of the machine configuration
 * @param vision name of the vision service
 * @param module model of the ML model service, such as `viam:mlmodel:onnx-cpu`
 * @param path of the model file on the machine
 * @returns the new text
 * @throws EditError `no-such-value` if the text does not show that ML model service
 * @example
 * const model = '{"name":"m","api":"rdk:service:mlmodel","model":"old","attributes":{}}';
 * const vision = '{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{"mlmodel_name":"m"}}';
 * const edited = setModelFile(`{"services":[${model},${vision}]}`, 'v', 'viam:mlmodel:onnx-cpu', '/m.onnx');
 * JSON.parse(edited).services[0].attributes; // => { model_path: '/m.onnx' }
 */
export function setModelFile(text: string, vision: string, module: string, path: string): string {
  const shown = (edited: string) => modelServiceOf(listEntries(parseDocument(edited)), vision);
  const service = shown(text);
  if (!service) throw noResource('ML model service of', vision);
  const edited = applyTextEdits(text, setEdits(text, [...service.path, 'model'], module));
  return setAttribute(edited, shown(edited) ?? service, 'model_path', path);
}

/**
 * Adds a transform camera behind the other components.
 * @param text JSON of the machine configuration
 * @param camera its name, the camera that it reads, and its steps; without steps it gets one that passes frames on
 *   unchanged, because the machine refuses an empty pipeline
 * @returns the new text
 * @throws EditError if the text has no place for it, such as a `components` that is not a list
 * @example
 * const edited = addTransformCamera('{}', { name: 'turned', source: 'cam', pipeline: [{ type: 'rotate' }] });
 * JSON.parse(edited).components[0].attributes; // => { source: 'cam', pipeline: [{ type: 'rotate' }] }
 */
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

/**
 * Finds a name that no resource has.
 * @param text JSON of the machine configuration
 * @param wanted returned if it is free
 * @returns otherwise the wanted name with -2, -3 and so on
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel"}]}';
 * freeName(text, 'w'); // => 'w'
 * freeName(text, 'v'); // => 'v-2'
 */
export function freeName(text: string, wanted: string): string {
  const taken = new Set(listEntries(parseDocument(text)).map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) {
    if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
  }
}

export function visionEntry(text: string, name: string): ConfigEntry {
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

/** Labels are compared in lower case, as on the machine; keys of attributes fold by another rule. */
function listedAs(labels: JsonObject, label: string): string | undefined {
  if (Object.hasOwn(labels, label)) return label;
  return Object.keys(labels).find((listed) => listed.toLowerCase() === label.toLowerCase());
}

function setAttribute(text: string, entry: ConfigEntry, key: string, value: unknown): string {
  return applyTextEdits(text, setEdits(text, attributePath(entry, key), value));
}

function setOrRemove(text: string, entry: ConfigEntry, key: string, value: unknown, remove: boolean): string {
  return remove ? removeAt(text, attributePath(entry, key)) : setAttribute(text, entry, key, value);
}

function appendTo(text: string, section: 'components' | 'services', entry: unknown): string {
  return insertAt(text, [section], Infinity, entry);
}

/** The resource of this name and of one of these kinds. @throws EditError `no-such-value` */
export function entryNamed(text: string, name: string, noun: string, ...kinds: readonly EntryKind[]): ConfigEntry {
  const entry = findEntry(listEntries(parseDocument(text)), name, ...kinds);
  if (!entry) throw noResource(noun, name);
  return entry;
}

function noResource(noun: string, name: string): EditError {
  return new EditError('no-such-value', `The configuration has no ${noun} named "${name}".`);
}
