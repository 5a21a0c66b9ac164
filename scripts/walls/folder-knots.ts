import { relative } from 'node:path';
import { importsOf } from './imports-of.ts';
import { productionFiles } from './public-functions.ts';
import { roomOf } from './refuse-import.ts';

/**
 * The folders of each room that reach each other in a circle by imports, of types too; the files beside the folders count as one folder, '.'.
 * @param root path of the repository
 * @returns for each room that has any: its path, and the folders of all its circles, sorted
 */
export function folderKnots(root: string): Record<string, string[]> {
  const rooms = new Map<string, Map<string, Set<string>>>();
  for (const path of productionFiles()) {
    const room = roomOf(path)?.path;
    if (room === undefined) continue;
    const folders = rooms.get(room) ?? new Map<string, Set<string>>();
    rooms.set(room, folders);
    const from = folderOf(room, path);
    const reached = folders.get(from) ?? new Set();
    folders.set(from, reached);
    for (const target of importsOf(`${root}/${path}`)) {
      const to = relative(root, target);
      if (roomOf(to)?.path === room && folderOf(room, to) !== from) reached.add(folderOf(room, to));
    }
  }
  const knots = [...rooms].map(([room, folders]) => [room, knotted(folders)] as const);
  return Object.fromEntries(knots.filter(([, folders]) => folders.length > 0).sort());
}

const folderOf = (room: string, path: string): string => {
  const [first, ...rest] = path.slice(room.length + 1).split('/');
  return rest.length > 0 ? first! : '.';
};

/** The nodes that a chain of edges leads back to. */
export function knotted(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reach = (from: string): Set<string> => {
    const found = new Set(edges.get(from));
    for (const node of found) for (const next of edges.get(node) ?? []) found.add(next);
    return found;
  };
  return [...edges.keys()].filter((node) => reach(node).has(node)).sort();
}
