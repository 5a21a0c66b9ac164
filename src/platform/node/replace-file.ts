import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { privateFileMode } from './private-folder.ts';

/** Writes a small file of a data folder, which is whole whenever it is read. On a full disk what was in it stays. */
export async function replaceFile(path: string, text: string): Promise<void> {
  // under a name of its own: a command may write at the same time
  const written = `${path}.${randomUUID()}`;
  try {
    await writeFile(written, text, { mode: privateFileMode });
    await rename(written, path);
  } catch {
    await rm(written, { force: true });
  }
}
