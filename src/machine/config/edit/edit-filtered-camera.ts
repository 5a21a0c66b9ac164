import type { FilterKind } from '../../vision/face/filtered-cameras.ts';
import { captureSetting, dataManagers, unseenDataManager } from './data-capture.ts';
import { attributePath, freeName } from './edit-config.ts';
import { addDataManager } from './edit-recorder.ts';
import { EditError, insertAt, removeAt, setAt } from '../json/edit-json.ts';
import { filteredCameraModule, filteredCameras, type FilteredCamera } from './filtered-cameras.ts';
import { filteredCameraModel } from '../parse/config-entries.ts';
import { isObject, parseDocument } from '../json/json-document.ts';
import type { FilterServiceAttributes } from '../parse/machine-config.ts';
import { matchingKey } from '../parse/parse-attributes.ts';

/** What a filtered camera is added with. */
export interface FilteredCameraSettings {
  /** whose images it passes on */
  readonly camera: string;
  readonly vision: string;
  readonly kind: FilterKind;
  /** the scores that labels must exceed, 0..1 */
  readonly scores: Readonly<Record<string, number>>;
  readonly secondsBefore: number;
  readonly secondsAfter: number;
  /** how often its worker, and how often the data manager takes an image, a second */
  readonly rateHz: number;
}

/**
 * Adds a filtered camera behind the other components, which the data manager captures, with the module that brings it; and a data
 * manager where the configuration has none and shows all.
 * @param text JSON of the machine configuration
 * @param settings of the camera
 * @returns the new text, and the name of the camera, which is free
 * @throws EditError if the text has no place for it, such as `components` that is not a list
 * @example
 * const settings = { camera: 'cam', vision: 'eyes', kind: 'objects', scores: { dog: 0.5 }, secondsBefore: 2, secondsAfter: 2, rateHz: 1 };
 * const { text, name } = addFilteredCamera('{"components":[],"services":[],"modules":[]}', settings);
 * JSON.parse(text).components[0].attributes.vision_services; // => [{ vision: 'eyes', objects: { dog: 0.5 } }]
 * JSON.parse(text).modules[0].module_id; // => 'viam:filtered-camera'
 */
export function addFilteredCamera(
  text: string,
  { camera, vision, kind, scores, secondsBefore, secondsAfter, rateHz }: FilteredCameraSettings,
): { readonly text: string; readonly name: string } {
  const name = freeName(text, `${camera}-filtered`);
  const capture = { method: 'GetImages', capture_frequency_hz: rateHz };
  let edited = insertAt(text, ['components'], Infinity, {
    name,
    api: 'rdk:component:camera',
    model: filteredCameraModel,
    attributes: {
      camera,
      vision_services: [{ vision, [kind]: scores }],
      window_seconds_before: secondsBefore,
      window_seconds_after: secondsAfter,
      image_frequency: rateHz,
    },
    service_configs: [{ type: 'data_manager', attributes: { capture_methods: [capture] } }],
  });
  const document = parseDocument(edited);
  if (dataManagers(document).length === 0 && unseenDataManager(document) === '') edited = addDataManager(edited);
  const modules: unknown = isObject(document.value) ? document.value['modules'] : undefined;
  const isThere =
    Array.isArray(modules) && modules.some((one) => isObject(one) && one['module_id'] === filteredCameraModule);
  const entry = { type: 'registry', name: 'viam_filtered-camera', module_id: filteredCameraModule, version: 'latest' };
  return { text: isThere ? edited : insertAt(edited, ['modules'], Infinity, entry), name };
}

/** Attributes that are numbers. */
export type FilterNumber =
  'window_seconds' | 'window_seconds_before' | 'window_seconds_after' | 'image_frequency' | 'cooldown_s';

/**
 * Sets a number of a filtered camera.
 * @param text JSON of the machine configuration
 * @param camera its name
 * @param key of the attribute
 * @param value seconds, or images a second
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such camera
 * @example
 * const camera = { name: 'f', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes: {} };
 * const edited = setFilterNumber(JSON.stringify({ components: [camera] }), 'f', 'cooldown_s', 30);
 * JSON.parse(edited).components[0].attributes; // => { cooldown_s: 30 }
 */
export function setFilterNumber(text: string, camera: string, key: FilterNumber, value: number): string {
  return setAt(text, attributePath(cameraIn(text, camera).entry, key), value);
}

/**
 * Sets how often the data manager asks a filtered camera for images.
 * @param text JSON of the machine configuration
 * @param camera its name
 * @param rateHz a second
 * @returns the new text, with a capture where there was none
 * @throws EditError `no-such-value` if there is no such camera
 * @example
 * const camera = { name: 'f', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes: {} };
 * const edited = setFilterCapture(JSON.stringify({ components: [camera] }), 'f', 2);
 * JSON.parse(edited).components[0].service_configs[0].attributes.capture_methods[0].capture_frequency_hz; // => 2
 */
export function setFilterCapture(text: string, camera: string, rateHz: number): string {
  const { entry, capture } = cameraIn(text, camera);
  if (capture) return setAt(text, captureSetting(capture, 'capture_frequency_hz').path, rateHz);
  const method = { method: 'GetImages', capture_frequency_hz: rateHz };
  const config = { type: 'data_manager', attributes: { capture_methods: [method] } };
  return insertAt(text, [...entry.path, 'service_configs'], Infinity, config);
}

/**
 * Sets the score that a label must exceed, or removes the line.
 * @param text JSON of the machine configuration
 * @param camera name of a filtered camera
 * @param line the vision service, whether it inhibits, the map, and the label or `*`
 * @param score 0..1; null: the line goes
 * @returns the new text, with the service where the camera did not ask it; the deprecated spelling of one service stays as it is
 * @throws EditError `no-such-value` if there is no such camera, or its deprecated spelling has no place for the line
 * @example
 * const attributes = { camera: 'cam', vision_services: [{ vision: 'eyes', objects: { dog: 0.5 } }] };
 * const camera = { name: 'f', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes };
 * const line = { vision: 'eyes', inhibits: false, kind: 'objects', label: 'dog' };
 * const edited = setFilterLine(JSON.stringify({ components: [camera] }), 'f', line, 0.7);
 * JSON.parse(edited).components[0].attributes.vision_services; // => [{ vision: 'eyes', objects: { dog: 0.7 } }]
 */
export function setFilterLine(text: string, camera: string, line: FilterLinePlace, score: number | null): string {
  const { entry, attributes } = cameraIn(text, camera);
  const { vision, inhibits, kind, label } = line;
  const services = attributes.vision_services;
  const isAsked = (one: FilterServiceAttributes): boolean => one.vision === vision && one.inhibit === inhibits;
  // The module reads the last map that is given of a service.
  const given = services?.findLastIndex((one) => isAsked(one) && one[kind] !== null) ?? -1;
  const at = given >= 0 ? given : (services?.findLastIndex(isAsked) ?? -1);
  const isDeprecated = !services && attributes.vision === vision && !inhibits;
  if (at < 0 && !isDeprecated) {
    if (score === null) return text;
    if (!services && attributes.vision !== '')
      throw new EditError(
        'no-such-value',
        `"${camera}" has the deprecated spelling, which can ask "${attributes.vision}" only.`,
      );
    const added = { vision, [kind]: { [label]: score }, ...(inhibits && { inhibit: true }) };
    return insertAt(text, attributePath(entry, 'vision_services'), Infinity, added);
  }
  const list = attributePath(entry, 'vision_services');
  const written: unknown = entry.attributes[String(list.at(-1))];
  const service: unknown = Array.isArray(written) ? written[at] : undefined;
  const key = (isObject(service) ? matchingKey(service, kind) : undefined) ?? kind;
  const place = isDeprecated ? attributePath(entry, kind) : [...list, at, key];
  return score === null ? removeAt(text, [...place, label]) : setAt(text, [...place, label], score);
}

export interface FilterLinePlace {
  readonly vision: string;
  readonly inhibits: boolean;
  readonly kind: FilterKind;
  readonly label: string;
}

function cameraIn(text: string, name: string): FilteredCamera {
  const found = filteredCameras(parseDocument(text)).find((camera) => camera.name === name);
  if (!found) throw new EditError('no-such-value', `The configuration has no filtered camera named "${name}".`);
  return found;
}
