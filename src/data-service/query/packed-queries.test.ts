import { serialize } from 'bson';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anonymousReceipt, tabularRow } from '../../../tests/contract/data-store/captures.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { byMingo, fromStore, seededQuery, seededReadings } from '../../../tests/seeded-queries.ts';

it('answers queries of packed pages as mingo does over all documents', async () => {
  const queries = fc.array(seededQuery, { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(seededReadings, queries, async (all, asked) => {
      let n = 0;
      // payloads come with a prototype
      const uploaded = structuredClone(all.flat());
      const rows = uploaded.map((one) => tabularRow(`id-${String(n++).padStart(6, '0')}`, one));
      const store = memoryDataStore({ now: () => 0 });
      await store.tabular.insert(rows, anonymousReceipt());
      for (const one of asked) {
        const stages = one.map((stage) => serialize(stage));
        const [found, expected] = [await fromStore(store, stages), byMingo(rows, stages)];
        // a stage may refuse a document that the plan rightly never reads
        if ('rows' in expected) expect(found, JSON.stringify(one)).toEqual(expected);
      }
    }),
    { seed: 20_261_127, numRuns: 100 },
  );
});
