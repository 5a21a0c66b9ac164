import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Folders and files of a data folder: nobody else of the machine reads them. Windows keeps its own lists of rights. */
export const privateFolderMode = 0o700;
export const privateFileMode = 0o600;
const others = 0o077;

/** Makes a folder that only its owner enters, and those above it as usual; one that is there keeps its rights. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { recursive: true, mode: privateFolderMode });
}

/** Makes an empty file that only its owner reads; one that is there is left as it is. */
export async function makePrivateFile(path: string): Promise<void> {
  await (await open(path, 'a', privateFileMode)).close();
}

/** The paths, of those that are there, that others of the machine may read or write: as "0755 data". */
export async function readableByOthers(paths: readonly string[]): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const loose: string[] = [];
  for (const path of paths) {
    const mode = (await stat(path).catch(() => null))?.mode ?? 0;
    if ((mode & others) !== 0) loose.push(`${(mode & 0o7777).toString(8).padStart(4, '0')} ${path}`);
  }
  return loose;
}
