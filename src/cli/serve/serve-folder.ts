import { checkStateFile } from '../../platform/node/check-state-file.ts';
import { dataFolderDisk } from '../../platform/node/data-folder-disk.ts';
import { holdDataFolder } from '../../platform/node/data-folder-lock.ts';
import { nodeQueryWorkers } from '../../platform/node/query-worker.ts';
import { seenTimeFile } from '../../platform/node/seen-time-file.ts';
import {
  openSqliteDataStore,
  type OpenDataStore,
} from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { ClockWatch } from '../../server/storage/clock-watch.ts';
import { defaultCheckBytesPerSecond } from '../../server/storage/file-watch.ts';
import { keepStorage, type StorageRules } from '../../server/storage/keep-storage.ts';
import { queryThread, type ServedStore } from './served-store.ts';

/** Room for the shared memory and the log of a database. */
const leastToOpenBytes = 2 ** 20;

/** Opens a data folder for one host, which holds it until it is closed. @throws the error of a folder that another holds */
export async function serveFolder(dataDir: string, rules: StorageRules): Promise<ServedStore> {
  const folder = await holdDataFolder(dataDir);
  const clockWatch = new ClockWatch(await seenTimeFile(dataDir), systemClock);
  const store = await openOnFullDisk(dataDir).catch(async (error: unknown) => {
    await folder.release();
    throw error;
  });
  const disk = dataFolderDisk(dataDir, () => store.databaseBytes());
  const storage = keepStorage(store, disk, rules, () => performance.now());
  return {
    name: dataDir,
    store: storage.store,
    startWorker: nodeQueryWorkers({ databasePath: store.databasePath }, queryThread),
    clockWatch,
    checkState: checkStateFile(dataDir),
    checkBytesPerSecond: defaultCheckBytesPerSecond,
    keep: (signal, byAge) => storage.keep(signal, byAge),
    storage,
    waitingCalls: () => store.waitingWrites(),
    waitingIndexRows: () => store.waitingIndexRows(),
    takeUpIndexes: (onProgress) => store.takeUpIndexes(onProgress),
    tellAddress: (address) => folder.tellAddress(address),
    async close() {
      await store.close();
      await folder.release();
    },
  };
}

/** Also a full disk can be served, to be read and deleted from: opening a database writes a little. */
async function openOnFullDisk(dataDir: string): Promise<OpenDataStore> {
  try {
    return await openSqliteDataStore(dataDir, systemClock);
  } catch (error) {
    const { freeBytes, giveReserve } = dataFolderDisk(dataDir, () => Promise.resolve(0));
    if ((await freeBytes()) > leastToOpenBytes || !(await giveReserve())) throw error;
    return openSqliteDataStore(dataDir, systemClock);
  }
}
