import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkFiles } from '../data-service/integrity/check-files.ts';
import { databaseFile } from '../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { databaseProblems, openForCheck } from '../platform/node/sqlite-data-store/open-for-check.ts';
import { systemClock } from '../server/start-data-host.ts';
import { CliError } from './cli-error.ts';
import type { Terminal } from './run-frames.ts';
import type { FolderArguments } from './serve-arguments.ts';

/** Files between two words of progress. */
const toldEvery = 1000;

/**
 * Runs `sightglass check`: checks the database of a data folder and the bytes of every file. Nothing is written, and a
 * server may run meanwhile.
 * @param command parsed arguments
 * @param terminal receives one object for each damage, and one that sums up
 * @returns exit code: 1 where something is damaged, otherwise 0
 * @throws CliError not-found
 * @example
 * await check({ dataDir: '/missing' }, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export async function check({ dataDir }: FolderArguments, { print, say }: Terminal): Promise<number> {
  if (!existsSync(join(dataDir, databaseFile)))
    throw new CliError('not-found', `There is no data of Sightglass in "${dataDir}"; give the folder by --data.`);
  const problems = databaseProblems(dataDir);
  for (const problem of problems) print({ database: join(dataDir, databaseFile), problem });
  const total = { files: 0, fileBytes: 0, damagedFiles: 0 };
  let stoppedBy: string | null = null;
  let close = (): Promise<void> => Promise.resolve();
  try {
    const opened = await openForCheck(dataDir, systemClock);
    close = opened.close;
    for await (const { record, damage } of checkFiles(opened.store, null, () => Promise.resolve())) {
      total.files++;
      total.fileBytes += record.sizeBytes;
      if (total.files % toldEvery === 0) say(`${total.files} files checked`);
      if (damage === null) continue;
      total.damagedFiles++;
      const { id, fileName, partId, componentName, sizeBytes, blobAddress, timeRequested } = record;
      const captured = new Date(Math.floor(timeRequested / 1000));
      print({
        file: id,
        fault: damage.fault,
        fileName,
        partId,
        componentName,
        sizeBytes,
        blob: blobAddress,
        timeRequested: Number.isNaN(captured.getTime()) ? null : captured.toISOString(),
      });
    }
  } catch (error) {
    // a damaged database names no further files
    if (problems.length === 0) throw error;
    stoppedBy = (error as Error).message;
  } finally {
    await close();
  }
  print({ checked: dataDir, ...total, database: problems.length === 0 ? 'well' : 'damaged', stoppedBy });
  return problems.length === 0 && total.damagedFiles === 0 ? 0 : 1;
}
