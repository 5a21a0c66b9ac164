import { backUpData } from '../../platform/node/backup/back-up-data.ts';
import { restoreData } from '../../platform/node/backup/restore-data.ts';
import { systemClock } from '../../server/start-data-host.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { BackupArguments } from './data-records.ts';

/** Files between two words of progress. */
const toldEvery = 1000;

/**
 * Runs `sightglass backup`: copies a data folder and names its files that are lost or damaged.
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 1 where a file is lost or damaged, otherwise 0
 * @throws CliError
 * @example
 * await backup({ dataDir: '/missing', backupDir: '/missing-backup' }, { print() {}, say() {} }); // throws: /missing
 */
export async function backup({ backupDir, dataDir }: BackupArguments, terminal: Terminal): Promise<number> {
  const { manifest, lost } = await backUpData(dataDir, backupDir, systemClock, telling(terminal));
  const { time, files, fileBytes, damaged } = manifest;
  terminal.print({ backup: backupDir, time, files, fileBytes, lost, damaged: Object.keys(damaged) });
  const isWhole = lost.length === 0 && Object.keys(damaged).length === 0;
  if (!isWhole) {
    terminal.say(
      `WARNING: of "${dataDir}" itself ${lost.length} files are gone and ${Object.keys(damaged).length} have other bytes than were stored. The disk may be failing; an earlier backup may have them.`,
    );
  }
  return isWhole ? 0 : 1;
}

/**
 * Runs `sightglass restore`: makes a data folder from a backup.
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 0
 * @throws CliError
 * @example
 * await restore({ dataDir: '/missing', backupDir: '/missing-backup' }, { print() {}, say() {} }); // throws: /missing-backup
 */
export async function restore({ backupDir, dataDir }: BackupArguments, terminal: Terminal): Promise<number> {
  const { time, files, fileBytes } = await restoreData(backupDir, dataDir, telling(terminal));
  terminal.print({ restored: dataDir, time, files, fileBytes });
  return 0;
}

const telling =
  ({ say }: Terminal) =>
  (files: number): void => {
    if (files % toldEvery === 0) say(`${files} files copied`);
  };
