import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, privateFileMode, privateFolderMode } from '../private-folder.ts';
import { BackupError } from './backup-error.ts';

const chunkBytes = 1 << 20;

/** Copies a file with its time, on the disk when the promise resolves. Returns its SHA-256 and size; null: it is not there. */
export async function copyFile(
  from: string,
  to: string,
): Promise<{ readonly sha256: string; readonly sizeBytes: number } | null> {
  const source = await open(from, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (source === null) return null;
  try {
    await mkdir(dirname(to), { recursive: true, mode: privateFolderMode });
    const target = await open(to, 'wx', privateFileMode);
    try {
      const hash = createHash('sha256');
      const chunk = new Uint8Array(chunkBytes);
      let sizeBytes = 0;
      for (;;) {
        const { bytesRead } = await source.read(chunk, 0, chunk.length, sizeBytes);
        if (bytesRead === 0) break;
        hash.update(chunk.subarray(0, bytesRead));
        for (let at = 0; at < bytesRead;) at += (await target.write(chunk, at, bytesRead - at)).bytesWritten;
        sizeBytes += bytesRead;
      }
      const { mtime } = await source.stat();
      await target.utimes(mtime, mtime);
      await target.sync();
      return { sha256: hash.digest('hex'), sizeBytes };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Makes a folder of files: under another name until `fill` has succeeded, so that a folder of this name is whole.
 * @throws BackupError `not-empty` for one that has something in it
 */
export async function makeWhole<T>(folder: string, fill: (unfinished: string) => Promise<T>): Promise<T> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (there.length > 0) {
    throw new BackupError('not-empty', `There is something in "${folder}" already; name a new or an empty folder.`);
  }
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await makePrivateFolder(unfinished);
  try {
    const result = await fill(unfinished);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
    return result;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}
