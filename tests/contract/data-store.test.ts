import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { testNow } from './data-store/blobs.ts';
import { describeDataStore } from './data-store/describe-data-store.ts';
import { openSqlite } from './data-store/open-sqlite.ts';
import { standingClock, type StoreUnderTest } from './data-store/store-under-test.ts';
import { describeFieldIndexes } from './data-store/field-indexes.ts';
import { describeSinkIndexes } from './data-store/sink-indexes.ts';
import { describeSchedulers } from './pipeline-schedulers.ts';

const openMemory = async (): Promise<StoreUnderTest> => {
  const { clock, setTime } = standingClock(testNow);
  return { store: memoryDataStore(clock), openAgain: null, setTime, close: async () => {} };
};

describeDataStore('in memory', openMemory);
describeDataStore('in SQLite and files', openSqlite());
describeFieldIndexes('in SQLite', openSqlite());
describeSinkIndexes('in SQLite', openSqlite());
describeSchedulers('in memory', openMemory, 1);
describeSchedulers('in SQLite', openSqlite());
