import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'bson';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testClock } from '../../../../tests/contract/data-store/blobs.ts';
import { anonymousReceipt, tabularRow } from '../../../../tests/contract/data-store/captures.ts';
import { byMingo, fromStore, seededQuery, seededReadings } from '../../../../tests/seeded-queries.ts';
import { openSqliteDataStore, openSqliteReader } from './open-sqlite-data-store.ts';

const [stores, pipelinesEach] = [process.env['NIGHTLY'] ? 180 : 50, 14];

it(`answers ${stores * pipelinesEach} pipelines off columns as mingo does over all documents`, async () => {
  const pipelines = fc.array(seededQuery, { minLength: pipelinesEach, maxLength: pipelinesEach });
  await fc.assert(
    fc.asyncProperty(seededReadings, pipelines, fc.constantFrom(3, 8, 1000), async (all, asked, sheetRows) => {
      const folder = await mkdtemp(join(tmpdir(), 'sightglass-differential-'));
      const store = await openSqliteDataStore(folder, testClock, sheetRows);
      try {
        let n = 0;
        const rows = all.map((upload) => upload.map((one) => tabularRow(`id-${String(n++).padStart(6, '0')}`, one)));
        for (const upload of rows) await store.tabular.insert(upload, anonymousReceipt());
        const reader = await openSqliteReader(store.databasePath);
        for (const one of asked) {
          const stages = one.map((each) => serialize(each));
          const [found, expected] = [await fromStore(reader, stages), byMingo(rows.flat(), stages)];
          // a stage may refuse a document that the plan rightly never reads
          if ('rows' in expected) expect(found, JSON.stringify(one)).toEqual(expected);
        }
      } finally {
        await store.close();
        await rm(folder, { recursive: true });
      }
    }),
    { seed: 20_261_122, numRuns: stores },
  );
}, 240_000);
