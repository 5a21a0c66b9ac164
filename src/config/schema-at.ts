import type { AttributeSchema, ObjectSchema } from './attribute-schema.ts';
import { listEntries, type ConfigEntry } from './config-entries.ts';
import {
  distortionSchema,
  intrinsicSchema,
  mlmodelSchema,
  stepSchema,
  transformCameraSchema,
} from './config-schema.ts';
import { isObject, parseDocument, valueAt, type JsonDocument } from './json-document.ts';
import type { JsonPath } from './json-path.ts';
import { matchingKey } from './parse-attributes.ts';
import { isStepType, stepRecords } from './transform-steps.ts';

/** The schema of the object at a path (its keys are what completion offers), undefined where the bench knows none. */
export function objectSchemaAt(document: JsonDocument, path: JsonPath): ObjectSchema | undefined {
  const entry = listEntries(document).find(({ path: at }) => at.every((segment, index) => segment === path[index]));
  if (!entry || String(path[2]).toLowerCase() !== 'attributes') return undefined;
  const inside = path.slice(3);
  if (entry.kind === 'mlmodel-vision') return inside.length === 0 ? mlmodelSchema : undefined;
  if (entry.kind !== 'transform-camera') return undefined;
  if (inside.length === 0) return transformCameraSchema;
  const nested = String(inside[0]).toLowerCase();
  if (inside.length === 1 && nested === 'intrinsic_parameters') return intrinsicSchema;
  if (inside.length === 1 && nested === 'distortion_parameters') return distortionSchema;
  if (nested !== 'pipeline' || typeof inside[1] !== 'number') return undefined;
  if (inside.length === 2) return stepSchema;
  if (inside.length !== 3 || String(inside[2]).toLowerCase() !== 'attributes') return undefined;
  const type = valueAt(document, [...path.slice(0, -1), 'type']);
  return typeof type === 'string' && isStepType(type) ? stepRecords[type] : undefined;
}

/** What is known of the attribute at a path, for hover. */
export function attributeSchemaAt(document: JsonDocument, path: JsonPath): AttributeSchema | undefined {
  const key = path.at(-1);
  const attributes = objectSchemaAt(document, path.slice(0, -1))?.attributes ?? [];
  return attributes.find((attribute) => attribute.key === String(key).toLowerCase());
}

/** Keys that the object at a path may still get, in the order of the documentation. */
export function missingAttributes(document: JsonDocument, path: JsonPath): readonly AttributeSchema[] {
  const value = valueAt(document, path);
  const present = isObject(value) ? value : {};
  const attributes = objectSchemaAt(document, path)?.attributes ?? [];
  return attributes.filter(({ key }) => matchingKey(present, key) === undefined);
}

/** Values worth offering at a path: names of the resources that fit, else the examples of its attribute. */
export function valueSuggestions(text: string, path: JsonPath): readonly unknown[] {
  const document = parseDocument(text);
  const attribute = attributeSchemaAt(document, path);
  if (!attribute) return [];
  const entries = listEntries(document);
  const own = entries.find(({ path: at }) => at.every((segment, index) => segment === path[index]))?.name;
  const named = (...kinds: readonly ConfigEntry['kind'][]): readonly string[] =>
    entries.filter(({ kind, name }) => kinds.includes(kind) && name !== '' && name !== own).map(({ name }) => name);
  switch (attribute.key) {
    case 'camera_name':
    case 'source':
      return named('source-camera', 'transform-camera');
    case 'mlmodel_name':
      return named('mlmodel');
    default:
      if ('namesService' in attribute) return named('mlmodel-vision', 'other-vision');
      return attribute.type === 'bool' ? [true, false] : attribute.examples;
  }
}
