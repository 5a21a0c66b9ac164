import { filteredCameraFields, filterServiceFields } from './attribute-fields.ts';
import { isObject, type JsonObject } from './json-document.ts';
import type { FilteredCameraAttributes } from './machine-config.ts';
import { matchingKey, parseAttributes, type AttributeError } from './parse-attributes.ts';

/**
 * Decodes the attributes of a filtered camera, the deprecated ones too. Whether its module builds it, `filterRule` says.
 * @param raw as they are written
 * @returns the attributes, and what in them has a wrong type
 * @example
 * decodeFilteredCamera({ camera: 'cam', vision_services: [{ vision: 'eyes', objects: { '*': 0.5 } }] }).value.vision_services[0].objects; // => { '*': 0.5 }
 * decodeFilteredCamera({}).value.vision_services; // => null
 */
export function decodeFilteredCamera(raw: unknown): {
  readonly value: FilteredCameraAttributes;
  readonly errors: readonly AttributeError[];
} {
  const { value, errors } = parseAttributes(raw, filteredCameraFields);
  const source = isObject(raw) ? raw : {};
  const place = matchingKey(source, 'vision_services') ?? 'vision_services';
  const services = value.vision_services.map((service) => parseAttributes(service, filterServiceFields));
  const within = services.flatMap((service, index) =>
    service.errors.map((error) => ({ ...error, path: [place, index, ...error.path] })),
  );
  const vision_services = isGiven(source, 'vision_services')
    ? services.map((service, index) => ({ ...service.value, ...maps(value.vision_services[index]!, service.value) }))
    : null;
  return { value: { ...value, ...maps(source, value), vision_services }, errors: [...errors, ...within] };
}

type Maps<T> = Record<'classifications' | 'objects', T>;

/** An empty map is one that was given. */
function maps<T>(source: JsonObject, { classifications, objects }: Readonly<Maps<T>>): Maps<T | null> {
  return {
    classifications: isGiven(source, 'classifications') ? classifications : null,
    objects: isGiven(source, 'objects') ? objects : null,
  };
}

function isGiven(source: JsonObject, key: string): boolean {
  const written = matchingKey(source, key);
  return written !== undefined && source[written] !== null && source[written] !== undefined;
}
