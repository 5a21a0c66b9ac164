import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../data-service/face/hosts.ts';
import { blobFolder, databaseFile, openSqliteDataStore } from '../sqlite-data-store/open-sqlite-data-store.ts';
import { storeErrorOf } from '../sqlite-data-store/sqlite-error.ts';
import { blobPath } from '../file-blob-store.ts';
import { makePrivateFile } from '../private-folder.ts';
import { BackupError } from './backup-error.ts';
import { sha256Of, writeManifest, type BackupManifest } from './backup-manifest.ts';
import { copyFile, makeWhole } from './copy-file.ts';
import { filesIn, sha256OfAddress, type StoredFile } from './files-in.ts';

export interface BackedUp {
  readonly manifest: BackupManifest;
  /** ids of files whose bytes the data folder itself has lost; they are not in the backup */
  readonly lost: readonly string[];
}

/** How long SQLite waits for the lock of another process. */
const busyTimeoutMs = 10_000;

/**
 * Copies a data folder, also while a server writes to it: the rows as they are at one moment, then the bytes of the files
 * that they name. Bytes are written before their rows and never change, so all are there, but of files that are deleted
 * meanwhile: those leave the backup, too.
 *
 * @param onCopied called after each file with how many are copied
 * @throws BackupError, StoreError `damaged`
 */
export async function backUpData(
  dataDir: string,
  backupDir: string,
  clock: Clock,
  onCopied: (files: number) => void,
): Promise<BackedUp> {
  const databasePath = join(dataDir, databaseFile);
  if (!existsSync(databasePath)) {
    throw new BackupError('no-data', `There is no data of Sightglass in "${dataDir}"; give the folder by --data.`);
  }
  return makeWhole(backupDir, async (folder) => {
    const copy = join(folder, databaseFile);
    await makePrivateFile(copy);
    const time = new Date(clock.now() / 1000).toISOString();
    copyRows(databasePath, copy);
    const { lost, gone, ...counts } = await copyFiles(dataDir, folder, onCopied);
    await forget(folder, gone, clock);
    const manifest: BackupManifest = { format: 1, time, ...counts, databaseSha256: await sha256Of(copy) };
    await writeManifest(folder, manifest);
    return { manifest, lost };
  });
}

/** The rows of one moment, whoever writes meanwhile. */
function copyRows(from: string, to: string): void {
  const database = new DatabaseSync(from, { timeout: busyTimeoutMs, readOnly: true });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    throw storeErrorOf(error, from);
  } finally {
    database.close();
  }
}

async function copyFiles(dataDir: string, folder: string, onCopied: (files: number) => void) {
  const rows = rowsOf(join(dataDir, databaseFile));
  const [from, to] = [join(dataDir, blobFolder), join(folder, blobFolder)];
  const damaged: Record<string, string> = {};
  const gone: StoredFile[] = [];
  const lost: string[] = [];
  let [files, fileBytes] = [0, 0];
  try {
    for (const file of filesIn(join(folder, databaseFile))) {
      const { id, blobAddress } = file;
      const copied = await copyFile(blobPath(from, blobAddress)!, blobPath(to, blobAddress)!);
      if (copied === null) {
        gone.push(file);
        if (rows.has(id)) lost.push(id);
        continue;
      }
      if (copied.sha256 !== sha256OfAddress(blobAddress)) damaged[blobAddress] = copied.sha256;
      fileBytes += copied.sizeBytes;
      onCopied(++files);
    }
  } finally {
    rows.close();
  }
  return { files, fileBytes, damaged, lost, gone };
}

/** Takes rows out of the backup, without a word in its audit: there, nobody has deleted them. */
async function forget(folder: string, gone: readonly StoredFile[], clock: Clock): Promise<void> {
  if (gone.length === 0) return;
  const store = await openSqliteDataStore(folder, clock);
  try {
    const { binary } = store.as(null);
    for (const { organizationId, id } of gone) await binary.delete(organizationId, [id]);
  } finally {
    await store.close(); // which takes the log of the database in
  }
}

/** Whether the data folder has a file now. */
function rowsOf(path: string) {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true });
  const find = database.prepare('SELECT 1 FROM binary_captures WHERE id = ?');
  return { has: (id: string): boolean => find.get(id) !== undefined, close: () => database.close() };
}
