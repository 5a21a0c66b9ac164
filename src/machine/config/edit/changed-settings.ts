import { isObject, parseDocument } from '../json/json-document.ts';
import { diffJson } from '../json/json-patch.ts';
import { displayPath, type JsonPath } from '../json/json-path.ts';

/** A value that two configurations do not share, as JSON; '': it is not there. */
export interface ChangedSetting {
  /** the resource and the path in it, such as "face: default_minimum_confidence" */
  readonly place: string;
  /** the last key of the path, such as "default_minimum_confidence" */
  readonly key: string;
  readonly first: string;
  readonly second: string;
}

/**
 * Says by what two configurations differ, for a person: each value with the name of its resource.
 *
 * @param firstText JSON of a machine configuration
 * @param secondText JSON of another
 * @returns the values that are not the same, in the order of a JSON patch from the first to the second
 * @example
 * const text = (bgr) => JSON.stringify({ services: [{ name: 'face', attributes: { input_image_bgr: bgr } }] });
 * changedSettings(text(false), text(true))[0].place; // => 'face: input_image_bgr'
 */
export function changedSettings(firstText: string, secondText: string): ChangedSetting[] {
  const [first, second] = [parseDocument(firstText).value, parseDocument(secondText).value];
  return diffJson(first, second).map((operation): ChangedSetting => {
    const path = pathOf(operation.path);
    const named = operation.op === 'remove' ? first : second;
    return {
      place: placeOf(path, named),
      key: String(path.at(-1) ?? ''),
      first: operation.op === 'add' ? '' : textOf(valueAt(first, path)),
      second: operation.op === 'remove' ? '' : textOf(operation.value),
    };
  });
}

const pathOf = (pointer: string): JsonPath =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));

const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce((inner: unknown, part) => (inner as Record<string | number, unknown> | undefined)?.[part], value);

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';

function placeOf(path: JsonPath, whole: unknown): string {
  const [section, index, ...rest] = path;
  const entry = typeof index === 'number' ? valueAt(whole, [section!, index]) : null;
  if (!isObject(entry) || typeof entry['name'] !== 'string') return displayPath(path) || 'all of it';
  const inner = rest[0] === 'attributes' && rest.length > 1 ? rest.slice(1) : rest;
  return inner.length === 0 ? entry['name'] : `${entry['name']}: ${displayPath(inner)}`;
}
