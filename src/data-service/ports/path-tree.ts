import type { StructObject, StructValue } from './stored-captures.ts';

/** Which fields are needed: names mapped to the fields below them; 'all' ends a path. */
export type PathTree = ReadonlyMap<string, PathTree> | 'all';

/** The tree of paths, given as lists of names; a path below another one adds nothing. */
export function pathTree(paths: readonly (readonly string[])[]): PathTree {
  if (paths.some((path) => path.length === 0)) return 'all';
  const names = new Set(paths.map((path) => path[0]!));
  return new Map(
    Array.from(names, (name) => [
      name,
      pathTree(paths.filter((path) => path[0] === name).map((path) => path.slice(1))),
    ]),
  );
}

/**
 * Keeps the needed part of a value. A path that crosses an array keeps the whole array.
 * @param value any value of a reading
 * @param tree the needed fields; 'all': the whole value
 * @returns a copy of the needed part, or the value itself
 * @example
 * pick({ kg: 1, door: { open: true } }, new Map([['kg', 'all']])); // => { kg: 1 }
 */
export function pick(value: StructValue, tree: PathTree): StructValue {
  if (tree === 'all' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const picked: Record<string, StructValue> = {};
  for (const [name, below] of tree)
    if (Object.hasOwn(value, name)) picked[name] = pick((value as StructObject)[name]!, below);
  return picked;
}
