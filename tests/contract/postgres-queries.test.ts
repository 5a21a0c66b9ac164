import { serialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { hasPostgres, withoutPostgres } from '../postgres/postgres-server.ts';
import { postgresStores } from '../postgres/postgres-stores.ts';
import { byMingo, fromStore, seededQuery, seededReadings } from '../seeded-queries.ts';
import { testClock } from './data-store/blobs.ts';
import { anonymousReceipt, tabularFilter, tabularRow } from './data-store/captures.ts';
import { temperatureIndex } from './data-store/indexes.ts';

const [rounds, queriesEach] = [process.env['NIGHTLY'] ? 90 : 30, 12];
const paths = ['data.readings.temp', 'data.readings.state'];
/** What an index answers. Not $gte, since mingo takes NaN for equal to every number, and indexes for less than all. */
const indexed = fc
  .tuple(
    fc.constantFrom(...paths),
    fc.constantFrom('$eq', '$gt', '$lt', '$lte'),
    fc.constantFrom(-2, 0, 0.001, 1, 2, 'on', 'off', 'idle', true, false),
  )
  .map(([path, operator, operand]) => ({ $match: { [path]: { [operator]: operand } } }));

describe.skipIf(!hasPostgres)(`queries over PostgreSQL (${withoutPostgres})`, () => {
  const stores = postgresStores(() => memoryDataStore(testClock).blobs);

  it.each([
    ['without an index', [], seededQuery],
    ['by indexes', paths, fc.tuple(indexed, seededQuery).map(([match, stages]) => [match, ...stages])],
  ])(`answers ${rounds * queriesEach} of them %s as mingo does over all documents`, async (_, indexedPaths, query) => {
    const { store, close } = await stores.open();
    for (const path of indexedPaths) {
      const key = [{ path, direction: 1 as const }];
      await store.indexes.create({ ...temperatureIndex, organizationId: 'a', name: path, key });
    }
    let n = 0;
    const queries = fc.array(query, { minLength: queriesEach, maxLength: queriesEach });
    await fc.assert(
      fc.asyncProperty(seededReadings, queries, async (all, asked) => {
        const uploads = all.map((upload) => upload.map((one) => tabularRow(`id-${String(n++).padStart(6, '0')}`, one)));
        for (const rows of uploads) await store.tabular.insert(rows, anonymousReceipt());
        try {
          for (const one of asked) {
            const stages = one.map((stage) => serialize(stage));
            const [found, expected] = [await fromStore(store, stages), byMingo(uploads.flat(), stages)];
            // a stage may refuse a document that the plan rightly never reads
            if ('rows' in expected) expect(found, JSON.stringify(one)).toEqual(expected);
          }
        } finally {
          for (const organizationId of ['a', 'b'])
            await store.tabular.delete(tabularFilter({ organizationId, includeInternal: true }), 1000);
        }
      }),
      { seed: 20_261_126, numRuns: rounds },
    );
    await close();
  });
});
