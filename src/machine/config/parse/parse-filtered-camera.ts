import { filteredCameraFields, filterServiceFields } from './attribute-fields.ts';
import { isObject, type JsonObject } from '../json/json-document.ts';
import { filterRefusal } from '../../vision/face/filtered-cameras.ts';
import type { ConfigEntry } from './config-entries.ts';
import type { FilteredCameraAttributes } from './machine-config.ts';
import { joinAttributeErrors, matchingKey, parseAttributes, type AttributeError } from './parse-attributes.ts';
import type { LocatedProblem } from './parse-machine-config.ts';

/**
 * Says which filtered cameras their module does not build. A frame passes through one all the same: what is built is known
 * only where its attributes are decoded, which the first screen does not wait for.
 * @param entries of the configuration
 * @returns a problem each, in the order of the text; the rest of the configuration is whole all the same
 * @example
 * import { listEntries } from './config-entries.ts';
 * import { parseDocument } from '../json/json-document.ts';
 * const camera = { name: 'kept', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes: {} };
 * filteredCameraProblems(listEntries(parseDocument(JSON.stringify({ components: [camera] })))).map(({ code }) => code); // => ['no-camera']
 */
export function filteredCameraProblems(entries: readonly ConfigEntry[]): readonly LocatedProblem[] {
  return entries.flatMap((entry): LocatedProblem[] => {
    if (entry.kind !== 'filtered-camera') return [];
    const { value, errors } = decodeFilteredCamera(entry.attributes);
    const [error] = errors;
    const refusal = error
      ? { path: error.path, code: 'bad-attributes', message: joinAttributeErrors(errors) }
      : filterRefusal(value);
    return refusal ? [{ resource: entry.name, ...refusal, path: [...entry.attributesPath, ...refusal.path] }] : [];
  });
}

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
