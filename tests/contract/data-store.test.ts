import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { testNow } from './data-store/blobs.ts';
import { describeDataStore } from './data-store/describe-data-store.ts';
import { standingClock, type StoreUnderTest } from './data-store/store-under-test.ts';
import { describeFieldIndexes } from './data-store/field-indexes.ts';
import { describeSinkIndexes } from './data-store/sink-indexes.ts';
import { describeSchedulers } from './pipeline-schedulers.ts';

const openMemory = async (): Promise<StoreUnderTest> => {
  const { clock, setTime } = standingClock(testNow);
  return { store: memoryDataStore(clock), openAgain: null, setTime, close: async () => {} };
};

const openSqlite = (sheetRows?: number) => async (): Promise<StoreUnderTest> => {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-store-'));
  const { clock, setTime } = standingClock(testNow);
  const opened = [await openSqliteDataStore(folder, clock, sheetRows)];
  return {
    store: opened[0]!,
    setTime,
    async openAgain() {
      opened.push(await openSqliteDataStore(folder, clock, sheetRows));
      return opened.at(-1)!;
    },
    async close() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(folder, { recursive: true });
    },
  };
};

describeDataStore('in memory', openMemory);
describeDataStore('in SQLite and files', openSqlite());
describeDataStore('in SQLite and files, in sheets of two readings', openSqlite(2));
describeFieldIndexes('in SQLite', openSqlite());
describeSinkIndexes('in SQLite', openSqlite());
describeFieldIndexes('in SQLite, in sheets of two readings', openSqlite(2));
describeSchedulers('in memory', openMemory, 1);
describeSchedulers('in SQLite', openSqlite());
