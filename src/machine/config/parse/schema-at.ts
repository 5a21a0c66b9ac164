import type { AttributeSchema, ObjectSchema } from './attribute-schema.ts';
import { anyCamera, anyVision, listEntries, type ConfigEntry } from './config-entries.ts';
import {
  colorDetectorSchema,
  conditionalCameraSchema,
  distortionSchema,
  filteredCameraSchema,
  filterServiceSchema,
  intrinsicSchema,
  mlmodelSchema,
  stepSchema,
  transformCameraSchema,
} from './config-schema.ts';
import { isObject, parseDocument, valueAt, type JsonDocument } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';
import { foldKey, matchingKey } from './parse-attributes.ts';
import { isStepType, stepRecords } from './transform-steps.ts';

/** What a conditional camera asks. */
export const genericServiceApi = 'rdk:service:generic';

/** The schema of the object at a path (its keys are what completion offers), undefined where the bench knows none. */
export function objectSchemaAt(document: JsonDocument, path: JsonPath): ObjectSchema | undefined {
  const entry = listEntries(document).find(({ path: at }) => at.every((segment, index) => segment === path[index]));
  if (!entry || String(path[2]).toLowerCase() !== 'attributes') return undefined;
  const inside = path.slice(3);
  if (entry.kind === 'mlmodel-vision') return inside.length === 0 ? mlmodelSchema : undefined;
  if (entry.kind === 'color-detector') return inside.length === 0 ? colorDetectorSchema : undefined;
  if (entry.kind === 'conditional-camera') return inside.length === 0 ? conditionalCameraSchema : undefined;
  if (entry.kind === 'filtered-camera') {
    if (inside.length === 0) return filteredCameraSchema;
    const isService =
      inside.length === 2 && foldKey(String(inside[0])) === 'vision_services' && typeof inside[1] === 'number';
    return isService ? filterServiceSchema : undefined;
  }
  if (entry.kind !== 'transform-camera') return undefined;
  if (inside.length === 0) return transformCameraSchema;
  const nested = foldKey(String(inside[0]));
  if (inside.length === 1 && nested === 'intrinsic_parameters') return intrinsicSchema;
  if (inside.length === 1 && nested === 'distortion_parameters') return distortionSchema;
  if (nested !== 'pipeline' || typeof inside[1] !== 'number') return undefined;
  if (inside.length === 2) return stepSchema;
  if (inside.length !== 3 || foldKey(String(inside[2])) !== 'attributes') return undefined;
  const type = valueAt(document, [...path.slice(0, -1), 'type']);
  return typeof type === 'string' && isStepType(type) ? stepRecords[type] : undefined;
}

/**
 * Gives what is known of an attribute, as for a hover.
 * @param document of the configuration
 * @param path of the attribute
 * @returns undefined: nothing is known
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { input_image_bgr: true } };
 * const document = parseDocument(JSON.stringify({ services: [service] }));
 * attributeSchemaAt(document, ['services', 0, 'attributes', 'input_image_bgr'])?.type; // => 'bool'
 */
export function attributeSchemaAt(document: JsonDocument, path: JsonPath): AttributeSchema | undefined {
  const key = path.at(-1);
  const attributes = objectSchemaAt(document, path.slice(0, -1))?.attributes ?? [];
  return attributes.find((attribute) => attribute.key === foldKey(String(key)));
}

/**
 * Gives the attributes that an object may have and has not, as for completion.
 * @param document of the configuration
 * @param path of the object
 * @returns in the order of the documentation
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { input_image_bgr: true } };
 * const document = parseDocument(JSON.stringify({ services: [service] }));
 * const keys = missingAttributes(document, ['services', 0, 'attributes']).map(({ key }) => key);
 * [keys.includes('mlmodel_name'), keys.includes('input_image_bgr')]; // => [true, false]
 */
export function missingAttributes(document: JsonDocument, path: JsonPath): readonly AttributeSchema[] {
  const value = valueAt(document, path);
  const present = isObject(value) ? value : {};
  const attributes = objectSchemaAt(document, path)?.attributes ?? [];
  return attributes.filter(({ key }) => matchingKey(present, key) === undefined);
}

/**
 * Gives values to offer for an attribute.
 * @param text of the configuration
 * @param path of the attribute
 * @returns names of the resources that fit, otherwise the examples of the attribute; []: nothing is known
 * @example
 * const camera = { name: 'cam', api: 'rdk:component:camera', model: 'webcam' };
 * const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { camera_name: '' } };
 * const text = JSON.stringify({ components: [camera], services: [service] });
 * valueSuggestions(text, ['services', 0, 'attributes', 'camera_name']); // => ['cam']
 */
export function valueSuggestions(text: string, path: JsonPath): readonly unknown[] {
  const document = parseDocument(text);
  const attribute = attributeSchemaAt(document, path);
  if (!attribute) return [];
  const entries = listEntries(document);
  const own = entries.find(({ path: at }) => at.every((segment, index) => segment === path[index]))?.name;
  const named = (...kinds: readonly ConfigEntry['kind'][]): readonly string[] =>
    entries.filter(({ kind, name }) => kinds.includes(kind) && name !== '' && name !== own).map(({ name }) => name);
  switch (attribute.key) {
    case 'camera':
    case 'camera_name':
    case 'source':
      return named(...anyCamera);
    case 'filter_service':
      return entries.filter(({ api }) => api === genericServiceApi).map(({ name }) => name);
    case 'vision':
      return named(...anyVision);
    case 'mlmodel_name':
      return named('mlmodel');
    default:
      if ('namesService' in attribute) return named(...anyVision);
      return attribute.type === 'bool' ? [true, false] : attribute.examples;
  }
}
