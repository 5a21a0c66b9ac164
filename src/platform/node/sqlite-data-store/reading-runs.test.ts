import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anonymousReceipt, scanOf, tabularFilter, tabularRow } from '../../../../tests/contract/data-store/captures.ts';
import { testClock } from '../../../../tests/contract/data-store/blobs.ts';
import type { StructObject, TabularRow } from '../../../data-service/ports/stored-captures.ts';
import { pathTree, pick } from '../../../data-service/ports/path-tree.ts';
import { openSqliteDataStore, openSqliteReader } from './open-sqlite-data-store.ts';

const value = fc.constantFrom(1, 2.5, NaN, -0, 'x', null, [1, { a: 2 }], {}, { a: 1, b: { c: 'deep' } });
const changes = fc.record({
  timeRequested: fc.integer({ min: 0, max: 30 }),
  componentName: fc.constantFrom('oven', 'fridge', 'scale'),
  organizationId: fc.constantFrom('org', 'org', 'org', 'other'),
  internal: fc.constantFrom(false, false, false, true),
  tags: fc.constantFrom([], [], [], ['t']),
  payload: fc.dictionary(fc.constantFrom('readings', 'b'), fc.dictionary(fc.constantFrom('a', 'b'), value)),
});
const bound = fc.option(fc.integer({ min: -1, max: 31 }), { nil: null });
const filter = fc.record({
  interval: fc.record({ start: bound, end: bound }),
  componentName: fc.constantFrom('', '', 'oven'),
  includeInternal: fc.boolean(),
});
const uploads = fc.array(fc.array(changes, { maxLength: 12 }), { maxLength: 6 });

it('reads in runs what pages hold, in their order, whatever is packed', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(uploads, fc.array(filter, { minLength: 3, maxLength: 3 }), async (all, filters) => {
      const folder = await mkdtemp(join(tmpdir(), 'sightglass-runs-'));
      const store = await openSqliteDataStore(folder, testClock, 4);
      let n = 0;
      for (const upload of all) {
        const rows = upload.map((one) => tabularRow(`id-${String(n++).padStart(6, '0')}`, one as Partial<TabularRow>));
        await store.tabular.insert(rows, anonymousReceipt());
      }
      const { tabular } = await openSqliteReader(store.databasePath);
      const tree = pathTree([['readings', 'b'], ['readings', 'a', 'b'], ['b']]); // prettier-ignore
      for (const some of filters.map(tabularFilter)) {
        const page = await store.tabular.page(scanOf(some, { limit: 1000 }));
        const rows: TabularRow[] = [];
        for (const run of tabular.readingRuns(some, [])!) {
          const [whole, picked] = [run.payloads('all'), run.payloads(tree)];
          expect(run.from).toBeLessThan(run.to);
          for (let place = run.from; place < run.to; place++) {
            const row = run.row(place);
            expect(run.timesRequested[place]).toBe(row.timeRequested);
            expect(run.origin.componentName).toBe(row.componentName);
            expect(whole(place)).toEqual(row.payload);
            expect(JSON.stringify(picked(place))).toBe(JSON.stringify(pick(row.payload as StructObject, tree)));
            rows.push(row);
          }
        }
        expect(rows).toEqual(page);
        const counted = [...(await tabular.originCounts(some))].map(
          ({ origin, count }) => [origin.componentName, count] as const,
        );
        expect([...summed(counted)]).toEqual([...summed(page.map(({ componentName }) => [componentName, 1]))]);
      }
      await store.close();
      await rm(folder, { recursive: true });
    }),
    { seed: 31, numRuns: 60 },
  );
});

/** In the order in which names come first. */
function summed(counts: readonly (readonly [name: string, count: number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

it('leaves to pages what tags or an index answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-runs-'));
  const store = await openSqliteDataStore(folder, testClock);
  const { tabular } = await openSqliteReader(store.databasePath);
  const hint = { path: 'data.readings.temp', from: { value: 1, inclusive: true }, to: null };
  expect(tabular.readingRuns(tabularFilter({ tags: ['t'] }), [])).toBeNull();
  expect(tabular.readingRuns(tabularFilter(), [hint])).not.toBeNull();
  await store.indexes.create({
    organizationId: 'org',
    collection: { kind: 'hot-store' },
    name: 'by-temp',
    timeCreated: 0,
    key: [{ path: 'data.readings.temp', direction: 1 }],
    options: '',
    createdBy: 'customer',
  });
  expect(tabular.readingRuns(tabularFilter(), [hint])).toBeNull();
  expect(tabular.readingRuns(tabularFilter(), [])).not.toBeNull();
  await store.close();
  await rm(folder, { recursive: true });
});
