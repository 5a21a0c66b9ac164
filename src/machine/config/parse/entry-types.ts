import { fakeCameraFields, imageFileFields, webcamFields } from './attribute-fields.ts';
import type { ConfigEntry } from './config-entries.ts';
import { isObject, type JsonObject } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';
import { parseAttributes, type AttributeError, type AttributeFields } from './parse-attributes.ts';

/** A value that the machine's JSON decoder refuses, and the whole configuration with it. */
export interface MistypedMember {
  readonly path: JsonPath;
  readonly message: string;
}

const textMembers = ['name', 'namespace', 'type', 'api', 'model'];

/** Members of a component or service that have another type than the machine's decoder takes; null counts as missing. */
export function mistypedMembers(entry: JsonObject, path: JsonPath): readonly MistypedMember[] {
  const found: MistypedMember[] = [];
  const refuse = (key: string, wanted: string): void =>
    void found.push({ path: [...path, key], message: `${key} must be ${wanted}` });
  const isGiven = (key: string): boolean => entry[key] !== undefined && entry[key] !== null;
  for (const key of textMembers) if (isGiven(key) && typeof entry[key] !== 'string') refuse(key, 'a text');
  const dependsOn = entry['depends_on'];
  if (isGiven('depends_on') && !(Array.isArray(dependsOn) && dependsOn.every((name) => typeof name === 'string')))
    refuse('depends_on', 'a list of texts');
  if (isGiven('attributes') && !isObject(entry['attributes'])) refuse('attributes', 'an object in braces');
  return found;
}

/** Cameras of the machine itself whose attributes it decodes before it builds anything, as it does those that are known here. */
const builtinCameras: Readonly<Record<string, AttributeFields>> = {
  webcam: webcamFields,
  fake: fakeCameraFields,
  image_file: imageFileFields,
};

/** Attributes of a built-in source camera that have a wrong type. */
export function mistypedCameraAttributes({ kind, model, attributes }: ConfigEntry): readonly AttributeError[] {
  const fields = kind === 'source-camera' && Object.hasOwn(builtinCameras, model) ? builtinCameras[model] : undefined;
  return fields ? parseAttributes(attributes, fields).errors : [];
}
