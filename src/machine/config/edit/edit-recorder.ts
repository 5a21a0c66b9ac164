import {
  captureAllMethod,
  captureParameter,
  captureSetting,
  dataManagerApi,
  dataManagers,
  unseenDataManager,
} from './data-capture.ts';
import { listEntries, runnableVision, type ConfigEntry } from '../parse/config-entries.ts';
import { attributePath, entryNamed, freeName, readAttribute } from './edit-config.ts';
import { EditError, insertAt, removeAt, setAt } from '../json/edit-json.ts';
import { isObject, parseDocument, valueAt, type JsonDocument } from '../json/json-document.ts';
import { sameJson } from '../json/json-patch.ts';
import {
  copiedService,
  copyOf,
  hasNoScores,
  recorderParameter,
  recorders,
  type Recorder,
  type RecorderSettings,
} from './recorder.ts';
import { recordedCamera } from '../parse/upstream-cameras.ts';

/**
 * Adds a recorder behind the other services: a copy of a vision service whose results the machine's data manager captures,
 * and a data manager where the configuration has none and shows all. Nothing else changes.
 * @param text JSON of the machine configuration
 * @param vision name of the service that is copied
 * @param settings of the recorder
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const service = '{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{"mlmodel_name":"m"}}';
 * const text = `{"components":[],"services":[${service}]}`;
 * const edited = addRecorder(text, 'v', { name: 'r', threshold: 0.05, rateHz: 1, camera: 'cam' });
 * JSON.parse(edited).services.map(({ name }) => name); // => ['v', 'r', 'recorder-data-manager']
 * JSON.parse(edited).services[1].attributes; // => { mlmodel_name: 'm', default_minimum_confidence: 0.05 }
 */
export function addRecorder(text: string, vision: string, settings: RecorderSettings): string {
  const { name, threshold, rateHz, camera } = settings;
  const service = entryNamed(text, vision, 'vision service', ...runnableVision);
  const document = parseDocument(text);
  const written = valueAt(document, service.path);
  const copied = Object.entries(isObject(written) ? written : {}).filter(([key]) => !/^service_configs$/i.test(key));
  const capture = {
    method: captureAllMethod,
    capture_frequency_hz: rateHz,
    // Older machines drop results below 0.5 by themselves; the service's own threshold is the one that counts.
    additional_params: { camera_name: camera, min_confidence_score: 0, [recorderParameter]: vision },
  };
  const edited = insertAt(text, ['services'], Infinity, {
    ...Object.fromEntries(copied),
    name,
    attributes: copyOf(service, threshold),
    service_configs: [{ type: 'data_manager', attributes: { capture_methods: [capture] } }],
  });
  const hasManager = dataManagers(document).length > 0 || unseenDataManager(document) !== '';
  return hasManager ? edited : addDataManager(edited);
}

const ownName = 'recorder-data-manager';
const ownDataManager = { api: dataManagerApi, model: 'rdk:builtin:builtin', attributes: {} };

/** Whether a data manager is one that came with a recorder and was not changed since. */
export function isOwnDataManager(document: JsonDocument, { name, path }: ConfigEntry): boolean {
  return name.startsWith(ownName) && sameJson(valueAt(document, path), { name, ...ownDataManager });
}

/** Adds the data manager of recorders behind the other services. */
export function addDataManager(text: string): string {
  return insertAt(text, ['services'], Infinity, { name: freeName(text, ownName), ...ownDataManager });
}

/**
 * Changes the settings of a recorder.
 * @param text JSON of the machine configuration
 * @param recorder its name, or itself as read from this text
 * @param change the settings that become others
 * @returns the new text; a threshold replaces the list of labels, beside which the machine ignores it, and a colour detector has none
 * @throws EditError `no-such-value` if there is no such recorder
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const added = addRecorder(text, 'v', { name: 'r', threshold: 0.05, rateHz: 1, camera: 'cam' });
 * JSON.parse(changeRecorder(added, 'r', { threshold: 0.1 })).services[1].attributes; // => { default_minimum_confidence: 0.1 }
 */
export function changeRecorder(text: string, recorder: string | Recorder, change: Partial<RecorderSettings>): string {
  const { capture } = recorderIn(text, recorder);
  const { service } = capture;
  let edited = text;
  if (change.threshold !== undefined && !hasNoScores(service)) {
    edited = removeAt(edited, attributePath(service, 'label_confidences'));
    edited = setAt(edited, attributePath(service, 'default_minimum_confidence'), change.threshold);
  }
  if (change.rateHz !== undefined)
    edited = setAt(edited, captureSetting(capture, 'capture_frequency_hz').path, change.rateHz);
  if (change.camera !== undefined) edited = setAt(edited, captureParameter(capture, 'camera_name').path, change.camera);
  return change.name === undefined ? edited : setAt(edited, [...service.path, 'name'], change.name);
}

/**
 * Copies the service of a recorder again; the recorder's threshold stays.
 * @param text JSON of the machine configuration
 * @param recorder its name, or itself as read from this text
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such recorder, or the service that it copies is gone
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const added = addRecorder(text, 'v', { name: 'r', threshold: 0.05, rateHz: 1, camera: 'cam' });
 * const tuned = added.replace('"attributes":{}', '"attributes":{"input_image_bgr":true}');
 * JSON.parse(copyAgain(tuned, 'r')).services[1].attributes.input_image_bgr; // => true
 */
export function copyAgain(text: string, recorder: string | Recorder): string {
  const found = recorderIn(text, recorder);
  const document = parseDocument(text);
  const copied = copiedService(document, found);
  if (!copied) throw new EditError('no-such-value', `The service "${found.of}" that "${found.name}" copies is gone.`);
  const edited = setAt(text, found.capture.service.attributesPath, copyOf(copied, found.threshold));
  const own = readAttribute(copied, 'camera_name');
  if (typeof own !== 'string' || own === '') return edited;
  return changeRecorder(edited, found, { camera: recordedCamera(listEntries(document), own) });
}

/**
 * Removes a recorder, and the data manager that came with it unless it was changed or captures something else. Where nothing
 * else was edited meanwhile, the text is again as it was before the recorder, to the byte.
 * @param text JSON of the machine configuration
 * @param recorder its name, or itself as read from this text
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such recorder
 * @example
 * const text = '{"services": [{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * const added = addRecorder(text, 'v', { name: 'r', threshold: 0.05, rateHz: 1, camera: 'cam' });
 * removeRecorder(added, 'r') === text; // => true
 */
export function removeRecorder(text: string, recorder: string | Recorder): string {
  const edited = removeAt(text, recorderIn(text, recorder).capture.service.path);
  if (/"capture_methods"/i.test(edited)) return edited;
  const document = parseDocument(edited);
  const own = dataManagers(document).find((manager) => isOwnDataManager(document, manager));
  return own ? removeAt(edited, own.path) : edited;
}

/** By name the first one: names may occur twice. */
function recorderIn(text: string, recorder: string | Recorder): Recorder {
  if (typeof recorder !== 'string') return recorder;
  const found = recorders(parseDocument(text)).find(({ name }) => name === recorder);
  if (!found) throw new EditError('no-such-value', `The configuration has no recorder named "${recorder}".`);
  return found;
}
