import { setTimeout } from 'node:timers/promises';
import { checkFiles, orphanAgeMs, unownedBlobs } from '../../data-service/face/files.ts';
import type { DamagedFile, ListedBlob } from '../../data-service/face/hosts.ts';
import type { DataStore } from '../../data-service/face/stores.ts';
import type { BinaryRecord, Micros } from '../../data-service/face/captures.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { isoTime } from './iso-time.ts';
import { checkedPlace } from './checked-place.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { CheckStoreArguments } from './data-records.ts';

type CheckedStores = Pick<DataStore, 'access' | 'binary' | 'blobs'>;

/** Files between two words of progress. */
const toldEvery = 1000;
/** Shorter waits are added up. */
const leastWaitMs = 20;

/**
 * Runs `sightglass check`: compares the bytes of every file of a data folder, or of a database and a bucket, with what was stored,
 * looks for bytes without a row, and checks the database of a folder. Nothing is written, and servers may run meanwhile.
 * @param command parsed arguments
 * @param terminal receives one object for each damage and each blob without a row, and one that sums up
 * @returns exit code: 1 where something is damaged, otherwise 0; a blob without a row is no damage
 * @throws CliError not-found
 * @example
 * const command = { name: 'check' as const, dataDir: '/missing', shared: null, bytesPerSecond: null };
 * await check(command, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export async function check(
  { bytesPerSecond, ...where }: CheckStoreArguments,
  { print, say }: Terminal,
): Promise<number> {
  const began = systemClock.now();
  const place = await checkedPlace(where);
  const problems = place.database?.problems ?? [];
  for (const problem of problems) print({ database: place.database!.path, problem });
  const total = { files: 0, fileBytes: 0, damagedFiles: 0, orphanBlobs: 0, blobsUnderWay: 0 };
  let stoppedBy: string | null = null;
  let close = (): Promise<void> => Promise.resolve();
  try {
    const opened = await place.open();
    close = opened.close;
    for await (const { record, damage } of checkFiles(opened.store, null, paceOf(bytesPerSecond))) {
      total.files++;
      total.fileBytes += record.sizeBytes;
      if (total.files % toldEvery === 0) say(`${total.files} files checked`);
      if (damage === null) continue;
      total.damagedFiles++;
      print(damagedFile(record, damage));
    }
    await tellBlobsWithoutRow(opened.store, began, total, print);
  } catch (error) {
    // a damaged database names no further files
    if (problems.length === 0) throw error;
    stoppedBy = (error as Error).message;
  } finally {
    await close();
  }
  const database = place.database === null ? {} : { database: problems.length === 0 ? 'well' : 'damaged' };
  print({ checked: place.name, ...total, ...database, stoppedBy });
  return problems.length === 0 && total.damagedFiles === 0 ? 0 : 1;
}

const damagedFile = (record: BinaryRecord, { fault }: DamagedFile): object => ({
  file: record.id,
  fault,
  fileName: record.fileName,
  partId: record.partId,
  componentName: record.componentName,
  sizeBytes: record.sizeBytes,
  blob: record.blobAddress,
  timeRequested: isoTime(record.timeRequested),
});

/** Bytes that were put before the check began and have no row: of an upload that is under way, or left by one that was not ended. */
async function tellBlobsWithoutRow(
  store: CheckedStores,
  began: Micros,
  total: { orphanBlobs: number; blobsUnderWay: number },
  print: Terminal['print'],
): Promise<void> {
  const orphansBefore = began - orphanAgeMs * 1000;
  const stateOf = ({ timeStored }: ListedBlob) => (timeStored < orphansBefore ? 'orphan' : 'under way');
  for await (const blob of unownedBlobs(store, ({ timeStored }) => timeStored < began)) {
    const state = stateOf(blob);
    total[state === 'orphan' ? 'orphanBlobs' : 'blobsUnderWay']++;
    print({ blob: blob.address, file: null, state, timeStored: isoTime(blob.timeStored) });
  }
}

/** null: as fast as it goes */
function paceOf(bytesPerSecond: number | null): (bytes: number) => Promise<void> {
  let owedMs = 0;
  return async (bytes) => {
    owedMs += bytesPerSecond === null ? 0 : (bytes * 1000) / bytesPerSecond;
    if (owedMs < leastWaitMs) return;
    await setTimeout(owedMs);
    owedMs = 0;
  };
}
