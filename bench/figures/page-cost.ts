import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { median, type Figure, type Measurement } from '../figure.ts';
import { fillTabular, pageTimes, scanNames, type PageTimes } from '../pages/page-cost-rows.ts';

const rowCounts = [10_000, 1_000_000] as const;
const pagesEach = 101;

export const figure: Figure = {
  title: 'a page of 50 rows out of 1,000,000 against a page out of 10,000, deep and shallow, by several filters',
  async measure({ measureOnDisk, note }) {
    const clock = { now: () => Date.now() * 1000 };
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-page-cost-'));
    try {
      const sqlite: PageTimes[] = [];
      for (const rowCount of rowCounts) {
        const store = await openSqliteDataStore(join(folder, String(rowCount)), clock);
        await fillTabular(store, rowCount);
        sqlite.push(await pageTimes(store, rowCount, pagesEach));
        await store.close();
      }
      const inBrowser: PageTimes[] = [];
      for (const rowCount of rowCounts) {
        inBrowser.push(await measureOnDisk<PageTimes>('page-cost', rowCount, pagesEach));
      }
      return [...growth('SQLite', sqlite, note), ...growth('IndexedDB', inBrowser, note)];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

function growth(store: string, [few, many]: readonly PageTimes[], note: (text: string) => void): Measurement[] {
  return scanNames.map((name) => {
    const [fewMs, manyMs] = [median(few![name]!), median(many![name]!)];
    note(`${store}, ${name}: ${fewMs.toFixed(2)} ms of 10,000, ${manyMs.toFixed(2)} ms of 1,000,000`);
    return { name: `${store}, ${name}`, value: manyMs / fewMs, unit: '×', atMost: 3 };
  });
}
