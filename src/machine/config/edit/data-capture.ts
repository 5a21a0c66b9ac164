import { findEntry, listEntries, type ConfigEntry } from '../parse/config-entries.ts';
import { readAttribute } from './edit-config.ts';
import { isObject, valueAt, type JsonDocument, type JsonObject } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';
import { matchingKey } from '../parse/parse-attributes.ts';
import { isSieve, sievingCameras } from '../parse/upstream-cameras.ts';

/** The methods of a camera with which the data manager captures pictures. */
export const pictureMethods: readonly string[] = ['GetImages', 'ReadImage'];

/** The one method of a vision service with which the machine's data manager captures a picture and what is seen on it. */
export const captureAllMethod = 'CaptureAllFromCamera';

/** A method of a vision service, or of a filtered or conditional camera, that the data manager is told to capture. */
export interface VisionCapture {
  readonly service: ConfigEntry;
  /** path of the method's object in `capture_methods` */
  readonly path: JsonPath;
  readonly settings: JsonObject;
}

/** A setting as it is written: under which key, where, and its value; without a value where it is missing. */
export interface CaptureSetting {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** A list of `capture_methods`, of which the machine decodes every member by its type. */
interface CaptureList {
  readonly service: ConfigEntry;
  readonly path: JsonPath;
  readonly value: unknown;
}

/** The `capture_methods` of all vision services, or of all cameras, in the order of the text, also where they are no list. */
export function captureLists(document: JsonDocument, api: CapturedApi = 'rdk:service:vision'): readonly CaptureList[] {
  const services = listEntries(document).filter((entry) => entry.api === api);
  return services.flatMap((service) => {
    const configs = member(valueAt(document, service.path), service.path, 'service_configs');
    if (!Array.isArray(configs.value)) return [];
    return configs.value.flatMap((config: unknown, index): CaptureList[] => {
      const path = [...configs.path, index];
      const type = member(config, path, 'type').value;
      if (type !== 'data_manager' && type !== dataManagerApi) return [];
      const attributes = member(config, path, 'attributes');
      const methods = member(attributes.value, attributes.path, 'capture_methods');
      return methods.value === undefined ? [] : [{ service, ...methods }];
    });
  });
}

/** What the data manager captures of cameras and of vision services. */
type CapturedApi = 'rdk:service:vision' | 'rdk:component:camera';

/** The methods of vision services that the data manager is told to capture, in the order of the text. */
export function visionCaptures(document: JsonDocument): readonly VisionCapture[] {
  return capturesOf(document, 'rdk:service:vision');
}

/** The methods of cameras that it is told to capture, in the order of the text; `service` is the camera. */
export function cameraCaptures(document: JsonDocument): readonly VisionCapture[] {
  return capturesOf(document, 'rdk:component:camera');
}

/** Those of filtered and of conditional cameras. */
export function filterCaptures(document: JsonDocument): readonly VisionCapture[] {
  return cameraCaptures(document).filter(({ service }) => isSieve(service));
}

function capturesOf(document: JsonDocument, api: CapturedApi): readonly VisionCapture[] {
  return captureLists(document, api).flatMap(({ service, path, value }) =>
    (Array.isArray(value) ? value : []).flatMap((settings: unknown, index) =>
      isObject(settings) ? [{ service, path: [...path, index], settings }] : [],
    ),
  );
}

/** Whether a capture keeps pictures; of a vision service, with what is seen on them. */
export function keepsPictures(capture: VisionCapture): boolean {
  const { value } = captureSetting(capture, 'method');
  if (isSieve(capture.service)) return pictureMethods.includes(String(value));
  return value === captureAllMethod;
}

export function captureSetting({ settings, path }: VisionCapture, key: string): CaptureSetting {
  return member(settings, path, key);
}

/** One of the additional parameters, whose keys the machine reads with their case. */
export function captureParameter(capture: VisionCapture, key: string): CaptureSetting {
  const { path, value } = captureSetting(capture, 'additional_params');
  return { path: [...path, key], value: isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined };
}

/** The camera that a capture names, or with an empty name the one of its service; '': neither names one. */
export function capturedCamera(capture: VisionCapture): string {
  const { value } = captureParameter(capture, 'camera_name');
  const camera = value === '' ? readAttribute(capture.service, 'camera_name') : value;
  return typeof camera === 'string' ? camera : '';
}

/**
 * The filtered or conditional camera that decides what is kept of a capture. A transform camera in between asks it as anyone else does, and is
 * given every frame.
 */
export function filterOf(entries: readonly ConfigEntry[], capture: VisionCapture): ConfigEntry | undefined {
  const { service } = capture;
  const camera = isSieve(service) ? service.name : capturedCamera(capture);
  return findEntry(entries, camera, ...sievingCameras);
}

/**
 * Says who decides at run time how much is kept of what the data manager captures of a camera.
 * @param document of the configuration
 * @param sieve the filtered or conditional camera that is captured, of `filterOf`; undefined: none is
 * @returns a sentence; '': nobody decides, and the rate alone tells how much it is
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * const attributes = { capture_control_sensor: { name: 'switch', key: 'captures' } };
 * const services = [{ name: 'data', api: 'rdk:service:data_manager', model: 'builtin', attributes }];
 * deciderWords(parseDocument(JSON.stringify({ services })), undefined); // => 'How often pictures of it are kept is decided at run time, by the sensor switch.'
 * deciderWords(parseDocument('{}'), undefined); // => ''
 */
export function deciderWords(document: JsonDocument, sieve: ConfigEntry | undefined): string {
  const sensor = captureControlSensor(document);
  if (sensor !== '') return `How often pictures of it are kept is decided at run time, by the sensor ${sensor}.`;
  if (!sieve) return '';
  const kind = sieve.kind === 'filtered-camera' ? 'filtered' : 'conditional';
  return `How many pictures of it are kept is decided at run time, by the ${kind} camera ${sieve.name}.`;
}

export const dataManagerApi = 'rdk:service:data_manager';

/**
 * Lists the data managers of a configuration; the machine builds only one.
 * @param document of any text
 * @returns in the order of the text
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * const text = '{"services":[{"name":"keeper","api":"rdk:service:data_manager","model":"builtin"}]}';
 * dataManagers(parseDocument(text)).map(({ name }) => name); // => ['keeper']
 */
export function dataManagers(document: JsonDocument): readonly ConfigEntry[] {
  return listEntries(document).filter(({ api }) => api === dataManagerApi);
}

/** The sensor by which the data manager decides at run time how often it captures what; '': none. */
export function captureControlSensor(document: JsonDocument): string {
  const [manager] = dataManagers(document);
  const control = manager && member(manager.attributes, manager.attributesPath, 'capture_control_sensor');
  const [name, key] = ['name', 'key'].map((part) => control && member(control.value, control.path, part).value);
  return typeof name === 'string' && typeof key === 'string' && key !== '' ? name : '';
}

/**
 * What may bring a data manager that the text does not show, in words; '': nothing. The machine builds only one, so that a
 * second would be a fault. Remotes bring none: theirs captures nothing of this machine.
 */
export function unseenDataManager({ value }: JsonDocument): string {
  const fragments = isObject(value) ? value['fragments'] : undefined;
  if (Array.isArray(fragments) && fragments.length > 0) return 'a fragment brings one';
  const isPart = !isObject(value) || !Array.isArray(value['components']);
  return isPart ? 'the rest of the configuration, which is not shown here, has one' : '';
}

/** What the machine reads for a key, whatever its case. */
function member(object: unknown, path: JsonPath, key: string): CaptureSetting {
  const match = isObject(object) ? matchingKey(object, key) : undefined;
  return { path: [...path, match ?? key], value: match === undefined || !isObject(object) ? undefined : object[match] };
}
