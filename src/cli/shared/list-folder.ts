import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ListedFile } from '../../evidence/datasets/face/items.ts';

/** The files of a folder and those below it, by paths with forward slashes. */
export async function listFolder(folder: string): Promise<ListedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths
      .sort()
      .map(async (path) => ({
        path: relative(folder, path).split(sep).join('/'),
        sizeBytes: (await stat(path)).size,
        read: () => createReadStream(path) as AsyncIterable<Uint8Array>,
      })),
  );
}
