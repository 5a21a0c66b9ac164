import type { StructObject, StructValue } from './capture.ts';

/** What of values is wanted: names to what is wanted below them; 'all' ends a path. */
export type PathTree = ReadonlyMap<string, PathTree> | 'all';

/** The tree of paths that are split at their dots: one that goes on below another changes nothing. */
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

/** What of a value is wanted. A path that crosses an array keeps the array whole. */
export function pick(value: StructValue, tree: PathTree): StructValue {
  if (tree === 'all' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const picked: Record<string, StructValue> = {};
  for (const [name, below] of tree)
    if (Object.hasOwn(value, name)) picked[name] = pick((value as StructObject)[name]!, below);
  return picked;
}
