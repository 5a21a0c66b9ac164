import fc from 'fast-check';
import { openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import { testClock } from '../contract/data-store/blobs.ts';
import { anonymousReceipt, scanOf, tabularFilter, tabularRow } from '../contract/data-store/captures.ts';
import { unpacked } from '../contract/data-store/unpacked.ts';

const sheetRows = 3;

type Operation = (store: DataStore, nextId: () => string) => Promise<unknown>;

// Two streams and few different times, so that rows fall before, into and after existing sheets.
const time = fc.integer({ min: 0, max: 40 });
const row = fc.record({
  timeRequested: time,
  componentName: fc.constantFrom('oven', 'oven', 'fridge'),
  payload: fc.constantFrom({ x: 1 }, { x: 2.5 }, { x: Number.NaN }, { x: -0 }),
});
const insert = fc.array(row, { minLength: 1, maxLength: 6 }).map(
  (rows): Operation =>
    async ({ tabular }, nextId) =>
      tabular.insert(
        rows.map((changes) => tabularRow(nextId(), changes)),
        anonymousReceipt(),
      ),
);
const read = fc
  .record({
    componentName: fc.constantFrom('oven', ''),
    start: fc.option(time, { nil: null }),
    end: fc.option(time, { nil: null }),
    after: fc.option(fc.record({ time, id: fc.constantFrom('a', 'id-0010', 'z') }), { nil: null }),
    limit: fc.constantFrom(1, 2, 5, 100),
  })
  .map(({ componentName, start, end, after, limit }): Operation => async ({ tabular }) => {
    const filter = tabularFilter({ componentName, interval: { start, end } });
    return unpacked(await tabular.packedPage(scanOf(filter, { after, limit }), []));
  });
const remove = fc.tuple(time, fc.integer({ min: 1, max: 3 })).map(
  ([start, span]): Operation =>
    async ({ tabular }) =>
      tabular.delete(tabularFilter({ interval: { start, end: start + span } }), 1000),
);

describe('sheets of readings', () => {
  it('hold what single rows hold, whatever is written and deleted around them', { timeout: 60_000 }, async () => {
    let sheetsSeen = 0;
    const operations = fc.array(
      fc.oneof({ weight: 4, arbitrary: insert }, { weight: 5, arbitrary: read }, { weight: 1, arbitrary: remove }),
      { minLength: 40, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(operations, async (all) => {
        const name = `sheets-${crypto.randomUUID()}`;
        const store = idbDataStore(testClock, name, sheetRows);
        const reference = memoryDataStore(testClock);
        let inserted = 0;
        try {
          for (const [step, operation] of all.entries()) {
            const first = inserted;
            const outcomes = [];
            for (const one of [reference, store]) {
              inserted = first;
              outcomes.push(await operation(one, () => `id-${String(inserted++).padStart(4, '0')}`));
            }
            expect(outcomes[1], `step ${step}`).toEqual(outcomes[0]);
          }
          const database = await openDB(name);
          sheetsSeen += await database.count('sheets');
          database.close();
        } finally {
          await store.close();
          indexedDB.deleteDatabase(name);
        }
      }),
      { seed: 20261121, numRuns: 25, endOnFailure: true },
    );
    expect(sheetsSeen).toBeGreaterThan(100);
  });
});
