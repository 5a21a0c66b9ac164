import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { privateFileMode } from '../private-folder.ts';
import { BackupError } from './backup-error.ts';

/** What a backup says of itself, in `backup.json`, which is written last: without it a backup is unfinished. */
export interface BackupManifest {
  readonly format: 1;
  /** when the rows were as they are in it, ISO 8601 */
  readonly time: string;
  readonly files: number;
  readonly fileBytes: number;
  /** digest of the database, hex */
  readonly databaseSha256: string;
  /** files whose bytes were other than their name says already when they were copied: address → their SHA-256 */
  readonly damaged: Readonly<Record<string, string>>;
}

const manifestFile = 'backup.json';

export const writeManifest = (folder: string, manifest: BackupManifest): Promise<void> =>
  writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: privateFileMode,
    flush: true,
  });

/** @throws BackupError for a folder that is no whole backup, or one of a later version */
export async function readManifest(folder: string): Promise<BackupManifest> {
  let manifest: BackupManifest;
  try {
    manifest = JSON.parse(await readFile(join(folder, manifestFile), 'utf8')) as BackupManifest;
  } catch (cause) {
    throw new BackupError(
      'no-backup',
      `"${folder}" is not a Sightglass backup: it has no ${manifestFile} that can be read. Name the folder that sightglass backup wrote.`,
      { cause },
    );
  }
  if (manifest.format !== 1) {
    const format = JSON.stringify(manifest.format);
    throw new BackupError(
      'newer-backup',
      `"${folder}" was written by a newer Sightglass (format ${format}); use that.`,
    );
  }
  return manifest;
}

/** The digest of a file's bytes, hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
