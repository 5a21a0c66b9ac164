import { filterRule, type FilterRule } from '../../vision/face/filtered-cameras.ts';
import { listEntries, type ConfigEntry } from '../parse/config-entries.ts';
import { cameraCaptures, captureSetting, pictureMethods, type VisionCapture } from './data-capture.ts';
import type { JsonDocument } from '../json/json-document.ts';
import type { FilteredCameraAttributes } from '../parse/machine-config.ts';
import { decodeFilteredCamera } from '../parse/parse-filtered-camera.ts';

/** The module that brings filtered cameras (github.com/viam-modules/filtered_camera, meta.json). */
export const filteredCameraModule = 'viam:filtered-camera';

/** A filtered camera of a configuration: it hands the data manager only what its rule lets through. */
export interface FilteredCamera {
  readonly name: string;
  readonly entry: ConfigEntry;
  readonly attributes: FilteredCameraAttributes;
  /** null: the machine does not build it */
  readonly rule: FilterRule | null;
  /** why not; '': it does */
  readonly refusal: string;
  /** the first capture of its pictures; null: the data manager captures none */
  readonly capture: VisionCapture | null;
  /** how often the data manager asks for them, a second; 0: it does not */
  readonly captureHz: number;
}

/**
 * Lists the filtered cameras of a configuration.
 * @param document of any text
 * @returns in the order of the text
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * const attributes = { camera: 'cam', vision_services: [{ vision: 'eyes', objects: { dog: 0.5 } }], window_seconds_after: 2 };
 * const camera = { name: 'dogs', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes };
 * const [dogs] = filteredCameras(parseDocument(JSON.stringify({ components: [camera] })));
 * [dogs.rule.afterMs, dogs.captureHz]; // => [2000, 0]
 */
export function filteredCameras(document: JsonDocument): readonly FilteredCamera[] {
  const captures = cameraCaptures(document);
  return listEntries(document)
    .filter(({ kind, name }) => kind === 'filtered-camera' && name !== '')
    .map((entry) => {
      const { value: attributes, errors } = decodeFilteredCamera(entry.attributes);
      const read = filterRule(attributes);
      const isRule = errors.length === 0 && !('code' in read);
      const own = captures.filter(({ service }) => service.path.join() === entry.path.join());
      const capture = own.find((one) => isOn(one)) ?? null;
      const rate = capture && captureSetting(capture, 'capture_frequency_hz').value;
      return {
        name: entry.name,
        entry,
        attributes,
        rule: isRule ? read : null,
        refusal: errors[0]?.message ?? ('code' in read ? read.message : ''),
        capture,
        captureHz: typeof rate === 'number' ? Math.max(0, rate) : 0,
      };
    });
}

function isOn(capture: VisionCapture): boolean {
  const method = captureSetting(capture, 'method').value;
  return pictureMethods.includes(String(method)) && captureSetting(capture, 'disabled').value !== true;
}
