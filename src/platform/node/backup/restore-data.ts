import { join } from 'node:path';
import { blobFolder, databaseFile } from '../sqlite-data-store/open-sqlite-data-store.ts';
import { blobPath } from '../file-blob-store.ts';
import { BackupError } from './backup-error.ts';
import { readManifest, type BackupManifest } from './backup-manifest.ts';
import { copyFile, makeWhole } from './copy-file.ts';
import { filesIn, openCopy, sha256OfAddress } from './files-in.ts';

/**
 * Makes a data folder of a backup, every byte of which is checked first: a folder that holds data already is left alone.
 *
 * @param onCopied called after each file with how many are copied
 * @throws BackupError
 */
export async function restoreData(
  backupDir: string,
  dataDir: string,
  onCopied: (files: number) => void,
): Promise<BackupManifest> {
  const manifest = await readManifest(backupDir);
  return makeWhole(dataDir, async (folder) => {
    const copy = join(folder, databaseFile);
    const rows = await copyFile(join(backupDir, databaseFile), copy);
    if (rows?.sha256 !== manifest.databaseSha256) throw damaged(backupDir, databaseFile);
    checkRows(backupDir, copy);
    const [from, to] = [join(backupDir, blobFolder), join(folder, blobFolder)];
    let files = 0;
    for (const { id, blobAddress } of filesIn(copy)) {
      const copied = await copyFile(blobPath(from, blobAddress)!, blobPath(to, blobAddress)!);
      const expected = manifest.damaged[blobAddress] ?? sha256OfAddress(blobAddress);
      if (copied?.sha256 !== expected) throw damaged(backupDir, `the file ${id}`);
      onCopied(++files);
    }
    if (files !== manifest.files) throw damaged(backupDir, `the list of ${manifest.files} files`);
    return manifest;
  });
}

function checkRows(backupDir: string, path: string): void {
  const database = openCopy(path);
  try {
    const { integrity_check: verdict } = database.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    if (verdict !== 'ok') throw damaged(backupDir, `${databaseFile} (${verdict})`);
  } finally {
    database.close();
  }
}

const damaged = (backupDir: string, what: string): BackupError =>
  new BackupError(
    'damaged-backup',
    `The backup "${backupDir}" is damaged: ${what} is not as it was written. Nothing was restored; use another backup.`,
  );
