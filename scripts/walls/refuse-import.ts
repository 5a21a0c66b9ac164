import { posix } from 'node:path';
import { isFace } from './imports-of.ts';
import { everything, forTests, rooms, type Room } from './import-walls.ts';

/** How a file names another: `file` is a URL of it, read or started by whoever asks for it. */
export type ImportKind = 'type' | 'value' | 'file';

export interface Import {
  /** the path or package as it is written */
  readonly specifier: string;
  readonly kind: ImportKind;
}

const table = 'scripts/walls/import-walls.ts';

/** The row with the longest path above a file; undefined if no row names its folder. */
export function roomOf(path: string): Room | undefined {
  const found = rooms.filter((room) => (room.path === '.' ? !path.includes('/') : lies(path, room.path)));
  return found.sort((a, b) => b.path.length - a.path.length)[0];
}

/** Whether a file is a test (`a.test.ts`) or is written for tests alone (`test-server.ts`). */
function isTest(path: string): boolean {
  return /(^|\/)test-[^/]*\.ts$|\.test\.ts$/.test(path);
}

/** Why a file (its path from the repository's root) may not import this, in one sentence; null where it may. */
export function refuseImport(path: string, { specifier, kind }: Import): string | null {
  const room = roomOf(path);
  if (!room) return `${posix.dirname(path)} is in no row of ${table}: name the folder there.`;
  return /^\.\.?(\/|$)/.test(specifier)
    ? refusePath(room, path, posix.join(posix.dirname(path), withoutQuery(specifier)).replace(/\/$/, ''), kind)
    : refusePackage(room, path, packageOf(specifier));
}

function refusePath(room: Room, from: string, to: string, kind: ImportKind): string | null {
  if (isTest(from)) {
    const reached = [...(room.values ?? []), ...(room.types ?? [])].map(roomBehind);
    if (kind === 'file' || names([...reached, ...(room.tests ?? []), ...forTests], to)) return null;
  } else if (isTest(to) && !room.values?.includes(everything)) {
    return `${from} ships, and ${to} is a test or written for tests: only tests may import it.`;
  }
  const behind = isTest(from) || room.values?.includes(everything) ? null : refuseBehindFace(room, to);
  if (behind) return behind;
  if (names([room.path, ...(room.values ?? [])], to)) return isTest(from) ? null : refuseFloor(room, from, to);
  const target = roomOf(to)?.path ?? to;
  if (!names(room.types ?? [], to)) return `${room.path} may not import ${target}: no row of ${table} allows it.`;
  return kind === 'type' ? null : `${room.path} may import only types from ${target} (${table}).`;
}

/** Why a file of a room with a face is closed to another room, or one of the face to its own; null where it is open. */
function refuseBehindFace(room: Room, to: string): string | null {
  const target = roomOf(to);
  if (!target?.faced || room.looksBehind || (target === room) !== isFace(to)) return null;
  return target === room
    ? `${to} is for other rooms: import the file that declares the name (${table}).`
    : `${to} lies behind the face of ${target.path}: import the name from ${target.path}/face, or pass it on there (${table}).`;
}

/** Why a file may not import from another folder of its room; null if it may, or if the file is in another room. */
function refuseFloor({ path, floors }: Room, from: string, to: string): string | null {
  if (!floors || !lies(to, path)) return null;
  const [fromFolder, toFolder] = [from, to].map((file) => folderOf(floors, posix.relative(path, file)));
  if (fromFolder === toFolder || fromFolder === '' || isFace(from)) return null;
  const floorOf = (folder: string): number => floors.findIndex((floor) => floor.includes(folder));
  if (fromFolder !== undefined && toFolder && floorOf(fromFolder) < floorOf(toFolder)) return null;
  return `${from} may not import ${to}: it stands on no lower floor of ${path} (${table}).`;
}

/** The folder of a room that contains a file (a path from the room): '' for a file beside the folders, undefined if no floor names its folder. */
function folderOf(floors: readonly (readonly string[])[], file: string): string | undefined {
  if (!file.includes('/')) return '';
  const found = floors.flat().filter((folder) => lies(file, folder));
  return found.sort((a, b) => b.length - a.length)[0];
}

function refusePackage(room: Room, from: string, name: string): string | null {
  const allowed = [...(room.onePackageAFile ?? []), ...(isTest(from) ? [...(room.tests ?? []), ...forTests] : [])];
  if (matches([...(room.packages ?? []), ...allowed], name)) return null;
  return `${room.path} may not import ${name}: no row of ${table} allows it.`;
}

/** Why a file may not import these packages together; null where it may. */
export function refuseTogether(path: string, specifiers: readonly string[]): string | null {
  const single = isTest(path) ? [] : (roomOf(path)?.onePackageAFile ?? []);
  const found = [...new Set(specifiers.map(packageOf))].filter((name) => matches(single, name));
  return found.length > 1 ? `One file imports one of these: ${found.join(', ')} (${table}).` : null;
}

/** Whether a list contains the path or a folder above it, in the same room. */
function names(list: readonly string[], path: string): boolean {
  const room = roomOf(path);
  return list.some((entry) => entry === everything || (lies(path, entry) && roomOf(entry) === room));
}

/** The room of a file of a face, for tests: they look behind it. */
function roomBehind(path: string): string {
  return isFace(path) ? posix.dirname(posix.dirname(path)) : path;
}

function matches(list: readonly string[], name: string): boolean {
  return list.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));
}

function lies(path: string, within: string): boolean {
  return path === within || path.startsWith(`${within}/`);
}

function withoutQuery(specifier: string): string {
  return specifier.replace(/[?#].*$/, '');
}

/** `@scope/name` of `@scope/name/part.js`; what Node builds in keeps its path. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
