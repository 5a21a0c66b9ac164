import { isObject, type JsonDocument, type JsonObject } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';

export type EntryKind =
  | 'source-camera'
  | 'transform-camera'
  | 'filtered-camera'
  | 'conditional-camera'
  | 'mlmodel-vision'
  | 'color-detector'
  | 'other-vision'
  | 'mlmodel'
  | 'other';

/** The kinds of all cameras. */
export const anyCamera = [
  'source-camera',
  'transform-camera',
  'filtered-camera',
  'conditional-camera',
] as const satisfies readonly EntryKind[];

/** The kinds of vision services that run here. */
export const runnableVision = ['mlmodel-vision', 'color-detector'] as const satisfies readonly EntryKind[];
/** The kinds of all vision services, those of modules included. */
export const anyVision = [...runnableVision, 'other-vision'] as const satisfies readonly EntryKind[];

export const isCamera = (kind: EntryKind): boolean => (anyCamera as readonly EntryKind[]).includes(kind);

/** The model of filtered cameras, and what it was called until its module came to Viam in 2025. */
export const filteredCameraModel = 'viam:camera:filtered-camera';
const filteredCameraModels: readonly string[] = [
  filteredCameraModel,
  'erh:camera:filtered-camera',
  'erh:camera:filtered_camera',
];

/** One resource of the machine configuration, as it stands in the JSON. */
export interface ConfigEntry {
  readonly kind: EntryKind;
  /** '' when missing or no text */
  readonly name: string;
  /** such as `rdk:service:vision` */
  readonly api: string;
  /** without its `rdk:builtin:` prefix */
  readonly model: string;
  /** path of the whole entry, such as services[0] */
  readonly path: JsonPath;
  readonly attributesPath: JsonPath;
  /** the attributes object; {} when missing or no object */
  readonly attributes: JsonObject;
}

/**
 * Lists the resources of a machine configuration in its order. List items that are not objects are skipped.
 * @param document of any text, also one with mistakes
 * @returns components, then services
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * const text = '{"components":[{"name":"cam","api":"rdk:component:camera","model":"webcam"}]}';
 * listEntries(parseDocument(text)).map(({ name, kind }) => [name, kind]); // => [['cam', 'source-camera']]
 */
export function listEntries(document: JsonDocument): readonly ConfigEntry[] {
  return [...entriesOf(document, 'components'), ...entriesOf(document, 'services')];
}

function entriesOf(document: JsonDocument, section: 'components' | 'services'): ConfigEntry[] {
  const list = isObject(document.value) ? document.value[section] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((raw: unknown, index) => (isObject(raw) ? [entryOf(raw, [section, index])] : []));
}

function entryOf(raw: JsonObject, path: JsonPath): ConfigEntry {
  const model = textOf(raw['model']).replace(/^rdk:builtin:/, '');
  const attributes = raw['attributes'];
  const api = apiOf(raw, path[0] === 'components' ? 'component' : 'service');
  return {
    kind: kindOf(api, model),
    name: textOf(raw['name']),
    api,
    model,
    path,
    attributesPath: [...path, 'attributes'],
    attributes: isObject(attributes) ? attributes : {},
  };
}

/** `api` since 2023 (`rdk:component:camera`), before that `type` (`camera`) beside an optional `namespace`. */
function apiOf(raw: JsonObject, section: 'component' | 'service'): string {
  if (typeof raw['api'] === 'string' && raw['api'] !== '') return raw['api'];
  const namespace = textOf(raw['namespace']) || 'rdk';
  return `${namespace}:${section}:${textOf(raw['type'])}`;
}

function kindOf(api: string, model: string): EntryKind {
  if (api === 'rdk:component:camera') {
    if (filteredCameraModels.includes(model)) return 'filtered-camera';
    if (model === 'viam:camera:conditional-camera') return 'conditional-camera';
    return model === 'transform' ? 'transform-camera' : 'source-camera';
  }
  if (api === 'rdk:service:vision') {
    if (model === 'color_detector') return 'color-detector';
    return model === 'mlmodel' ? 'mlmodel-vision' : 'other-vision';
  }
  return api === 'rdk:service:mlmodel' ? 'mlmodel' : 'other';
}

/**
 * Finds a resource by name and kind.
 * @param entries of `listEntries`
 * @param name as in the configuration, case included
 * @param kinds one of them is wanted
 * @returns the first of that name; undefined: there is none
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * const text = '{"components":[{"name":"cam","api":"rdk:component:camera","model":"webcam"}]}';
 * const entries = listEntries(parseDocument(text));
 * findEntry(entries, 'cam', 'source-camera')?.path; // => ['components', 0]
 * findEntry(entries, 'cam', 'mlmodel'); // => undefined
 */
export function findEntry(
  entries: readonly ConfigEntry[],
  name: string,
  ...kinds: readonly EntryKind[]
): ConfigEntry | undefined {
  return entries.find((entry) => entry.name === name && kinds.includes(entry.kind));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
