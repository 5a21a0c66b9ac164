import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../../data-service/face/hosts.ts';
import { privateFileMode } from './private-folder.ts';

/** What deleting a batch of rows writes at most, before what it frees is written again. */
const reserveBytes = 16 * 2 ** 20;
/** The reserve is held where at least so much is free. */
const plentyBytes = 8 * reserveBytes;
const chunk = new Uint8Array(2 ** 20).fill(0x5a); // not zeros, which some file systems keep without room for them

/** The disk of a data folder. The reserve is the file `reserve` in it. */
export function dataFolderDisk(folder: string, databaseBytes: () => Promise<number>): Disk {
  const reserve = join(folder, 'reserve');
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  return {
    freeBytes,
    databaseBytes,
    async holdReserve() {
      if ((await freeBytes()) < plentyBytes) return;
      const file = await open(reserve, 'a', privateFileMode);
      try {
        for (let { size } = await file.stat(); size < reserveBytes; size += chunk.length) await file.write(chunk);
      } finally {
        await file.close();
      }
    },
    async giveReserve() {
      return rm(reserve).then(
        () => true,
        () => false,
      );
    },
  };
}
