import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDataStore } from '../../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { testNow } from './blobs.ts';
import { standingClock, type StoreUnderTest } from './store-under-test.ts';

/** Opens a store of its own in a new folder, which goes with it. */
export const openSqlite = (sheetRows?: number) => async (): Promise<StoreUnderTest> => {
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
