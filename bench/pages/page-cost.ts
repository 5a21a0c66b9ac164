import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import { fillTabular, pageTimes, type PageTimes } from './page-cost-rows.ts';

async function measure(rowCount: number, pagesEach: number): Promise<PageTimes> {
  const name = `page-cost-${rowCount}`;
  const store = idbDataStore({ now: () => Date.now() * 1000 }, name);
  await fillTabular(store, rowCount);
  const times = await pageTimes(store, rowCount, pagesEach);
  await store.close();
  indexedDB.deleteDatabase(name);
  return times;
}

Object.assign(globalThis, { measure });
