import { isObject } from './json-document.ts';
import { pointerOf, type JsonPath } from './json-path.ts';

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The operations that turn one JSON value into another, applied in order. Objects are compared by key and lists by
 * position after their common start and end, so a step inserted into a pipeline is one `add`.
 * @param from a JSON value
 * @param to another one
 * @param path where both stand; default: they are whole documents
 * @returns none where they are equal
 * @example
 * diffJson({ a: 1 }, { a: 2 }); // => [{ op: 'replace', path: '/a', value: 2 }]
 */
export function diffJson(from: unknown, to: unknown, path: JsonPath = []): readonly PatchOperation[] {
  if (sameJson(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return diffLists(from, to, path);
  if (isObject(from) && isObject(to)) {
    const removed = Object.keys(from)
      .filter((key) => !Object.hasOwn(to, key))
      .map((key): PatchOperation => ({ op: 'remove', path: pointerOf([...path, key]) }));
    const changed = Object.keys(to).flatMap((key): readonly PatchOperation[] =>
      Object.hasOwn(from, key)
        ? diffJson(from[key], to[key], [...path, key])
        : [{ op: 'add', path: pointerOf([...path, key]), value: to[key] }],
    );
    return [...removed, ...changed];
  }
  return [{ op: 'replace', path: pointerOf(path), value: to }];
}

function diffLists(from: readonly unknown[], to: readonly unknown[], path: JsonPath): readonly PatchOperation[] {
  let start = 0;
  while (start < from.length && start < to.length && sameJson(from[start], to[start])) start++;
  let tail = 0;
  const room = Math.min(from.length, to.length) - start;
  while (tail < room && sameJson(from[from.length - 1 - tail], to[to.length - 1 - tail])) tail++;
  const before = from.slice(start, from.length - tail);
  const after = to.slice(start, to.length - tail);
  const common = Math.min(before.length, after.length);
  const operations: PatchOperation[] = [];
  for (let index = 0; index < common; index++) {
    operations.push(...diffJson(before[index], after[index], [...path, start + index]));
  }
  for (let index = before.length - 1; index >= common; index--) {
    operations.push({ op: 'remove', path: pointerOf([...path, start + index]) });
  }
  for (let index = common; index < after.length; index++) {
    operations.push({ op: 'add', path: pointerOf([...path, start + index]), value: after[index] });
  }
  return operations;
}

/**
 * Compares two values as JSON does: the order of an object's keys does not count.
 * @param a of any kind
 * @param b of any kind
 * @returns whether they are equal
 * @example
 * sameJson({ a: 1, b: [2] }, { b: [2], a: 1 }); // => true
 * sameJson([1, 2], [2, 1]); // => false
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
    );
  }
  return a === b;
}
