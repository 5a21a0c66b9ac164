import { insertAt, removeAt, setAt } from '../json/edit-json.ts';
import { isObject, parseDocument, type JsonObject } from '../json/json-document.ts';
import { sameJson } from '../json/json-patch.ts';
import type { JsonPath } from '../json/json-path.ts';

/** The text of somebody else, with one's own changes applied to it. */
export interface MergedConfig {
  readonly text: string;
  /** the paths that both changed, and not alike: one's own is in the text; such as `services › detector › attributes › camera_name` */
  readonly both: readonly string[];
}

/**
 * Applies to their text what was changed here since the common base. Resources are known by their names, so that one
 * that they added, removed or moved is in nobody's way; a list without names, as of steps, is one value. All other
 * characters of their text stay. Where both changed the same, what was changed here is taken, and named.
 * @param base JSON of the machine configuration as it was read
 * @param theirs what somebody else made of it
 * @param mine what was made of it here
 * @returns null: one of the texts is no JSON object
 * @example
 * const text = (a, b) => `{"services": [{"name": "a", "model": "${a}"}, {"name": "b", "model": "${b}"}]}`;
 * mergeConfig(text('x', 'x'), text('y', 'x'), text('x', 'z')).text === text('y', 'z'); // => true
 * mergeConfig(text('x', 'x'), text('y', 'x'), text('z', 'x')).both; // => ['services › a › model']
 * mergeConfig('{}', '[]', '{}'); // => null
 */
export function mergeConfig(base: string, theirs: string, mine: string): MergedConfig | null {
  const [before, there, here] = [base, theirs, mine].map((text) => {
    const { value, errors } = parseDocument(text);
    return errors.length === 0 && isObject(value) ? value : null;
  });
  if (!before || !there || !here) return null;
  const merge = new Merge(theirs);
  merge.value({ before, there, here }, [], []);
  return { text: merge.text, both: merge.both };
}

/** A value in the three texts; undefined where it is missing. */
interface Three<T = unknown> {
  readonly before: T;
  readonly there: T;
  readonly here: T;
}

class Merge {
  /** theirs, with what was applied so far */
  text: string;
  readonly both: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** @param path where the value stands in the text @param words the same for a person */
  value({ before, there, here }: Three, path: JsonPath, words: readonly string[]): void {
    if (sameJson(before, here) || sameJson(there, here)) return;
    if (isObject(before) && isObject(there) && isObject(here)) {
      this.#members({ before, there, here }, path, words);
      return;
    }
    const lists = { before: byName(before), there: byName(there), here: byName(here) };
    if (lists.before && lists.there && lists.here) {
      this.#named(lists as Three<NamedItems>, path, words);
      return;
    }
    if (!sameJson(before, there)) this.both.push(words.join(' › '));
    this.text = here === undefined ? removeAt(this.text, path) : setAt(this.text, path, here);
  }

  #members({ before, there, here }: Three<JsonObject>, path: JsonPath, words: readonly string[]): void {
    for (const key of new Set([...Object.keys(before), ...Object.keys(here)])) {
      const member = { before: own(before, key), there: own(there, key), here: own(here, key) };
      this.value(member, [...path, key], [...words, key]);
    }
  }

  #named({ before, there, here }: Three<NamedItems>, path: JsonPath, words: readonly string[]): void {
    const indexes = new Map([...there.keys()].map((name, index) => [name, index]));
    for (const [name, item] of here) {
      const three = { before: before.get(name), there: there.get(name), here: item };
      const index = indexes.get(name);
      if (index !== undefined) {
        this.value(three, [...path, index], [...words, name]);
      } else if (!sameJson(three.before, item)) {
        if (three.before !== undefined) this.both.push([...words, name].join(' › '));
        this.text = insertAt(this.text, path, Infinity, item);
      }
    }
    // From the end on, so that the places of the others stay.
    for (const [name, index] of [...indexes].toReversed()) {
      if (here.has(name) || !before.has(name)) continue;
      if (!sameJson(before.get(name), there.get(name))) this.both.push([...words, name].join(' › '));
      this.text = removeAt(this.text, [...path, index]);
    }
  }
}

type NamedItems = ReadonlyMap<string, unknown>;

/** The items of a list by their names; null: not all have one of their own. A list that is missing has none. */
function byName(list: unknown): NamedItems | null {
  if (!Array.isArray(list)) return null;
  const items = new Map<string, unknown>();
  for (const item of list as readonly unknown[]) {
    const name = isObject(item) ? item['name'] : undefined;
    if (typeof name !== 'string' || items.has(name)) return null;
    items.set(name, item);
  }
  return items;
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
