import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gathered } from '../dataset-fixture.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import type { Position, TabularFilter } from '../../src/data-service/ports/capture-filter.ts';
import type { PackedReadings } from '../../src/data-service/ports/packed-readings.ts';
import { undivided } from '../../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../src/data-service/query/isolated-query-runner.ts';
import { defaultQueryLimits } from '../../src/data-service/query/query-limits.ts';
import { partsOf, readingDocuments, unpackReadings } from '../../src/data-service/query/reading-document.ts';
import { allReadings } from '../../src/data-service/query/query-sources.ts';
import { nodeQueryWorkers } from '../../src/platform/node/query-worker.ts';
import type { StructObject, TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { openPostgresReader } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { hasPostgres, withoutPostgres } from '../postgres/postgres-server.ts';
import { postgresStores, type OpenedStore } from '../postgres/postgres-stores.ts';
import { testClock } from './data-store/blobs.ts';
import { anonymousReceipt, scanOf, tabularFilter, tabularRow } from './data-store/captures.ts';
import { unpacked } from './data-store/unpacked.ts';

/** With times, origins and payloads. */
const usualParts = partsOf(['time_requested', 'component_name', 'data']);
/** Paths of queries, each of which needs other parts of readings. */
const pathsOfQuery = fc.constantFrom<readonly string[] | null>(
  null,
  [],
  ['tags', 'data.text'],
  ['data', 'time_received'],
  ['additional_parameters'],
  ['time_requested'],
  ['location_id'],
  ['component_name', 'data.readings.temp'],
);

const never: Position = { time: 0, id: '' };

/** What a page holds, with the fields of origins that queries can read. */
const readingsOf = (readings: PackedReadings) =>
  unpacked({ readings, last: never }).readings.map(({ origin, ...rest }) => ({
    ...rest,
    componentName: origin!.componentName,
    locationId: origin!.locationId,
  }));

const pagesOf = async ({ store }: OpenedStore, filter: TabularFilter, limit = Infinity) =>
  (await gathered(store.tabular.packedScan(filter, [], limit, usualParts))).map(readingsOf);

async function fromRows({ store }: OpenedStore, filter: TabularFilter, limit: number) {
  const rows = await store.tabular.page(scanOf(filter, { limit }));
  return rows.map(({ timeRequested: time, payload, componentName, locationId }) => ({
    time,
    payload,
    componentName,
    locationId,
  }));
}

const manyRows = (count: number, changes: (n: number) => Partial<TabularRow> = () => ({})) =>
  Array.from({ length: count }, (_, n) =>
    tabularRow(`id-${String(n).padStart(6, '0')}`, { timeRequested: n, ...changes(n) }),
  );

describe.skipIf(!hasPostgres)(`packed scans of PostgreSQL (${withoutPostgres})`, () => {
  const stores = postgresStores(() => memoryDataStore(testClock).blobs);
  let opened: OpenedStore;
  beforeEach(async () => {
    opened = await stores.open();
  });
  afterEach(() => opened.close());
  const insert = (rows: readonly TabularRow[]) => opened.store.tabular.insert(rows, anonymousReceipt());

  it('hold what pages of rows hold, in their order, of whatever streams and marks', { timeout: 60_000 }, async () => {
    const payload = fc.constantFrom<StructObject>(
      { readings: { temp: 1 } },
      { readings: { temp: NaN, low: -0 } },
      { text: '],",\n\u0000\ud800ü', null: null },
      {},
    );
    const reading = fc.record({
      timeRequested: fc.integer({ min: 0, max: 40 }),
      componentName: fc.constantFrom('oven', 'fridge', 'door'),
      internal: fc.constantFrom(false, false, false, true),
      tags: fc.constantFrom([], [], [], ['a'], ['b'], ['a', 'b']),
      timeReceived: fc.integer({ min: 0, max: 1e9 }),
      additionalParameters: fc.constantFrom('', '', '{"n":1}'),
      payload,
    });
    const uploads = fc.array(fc.array(reading, { minLength: 1, maxLength: 120 }), { minLength: 1, maxLength: 4 });
    const bound = fc.option(fc.integer({ min: -1, max: 41 }), { nil: null });
    const filter = fc.record({
      componentName: fc.constantFrom('', '', 'oven'),
      includeInternal: fc.boolean(),
      tags: fc.constantFrom([], [], ['a'], ['a', 'b'], ['none']),
      tagged: fc.constantFrom('either', 'either', 'untagged', 'tagged'),
      interval: fc.record({ start: bound, end: bound }),
    });
    const limit = fc.constantFrom(1, 99, 100, 101, 1000, 1000);
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        uploads,
        fc.array(fc.tuple(filter, limit, pathsOfQuery), { minLength: 8, maxLength: 8 }),
        async (all, asked) => {
          for (const upload of all) await insert(upload.map((one) => tabularRow(`id-${(n++ * 7919) % 1e6}`, one)));
          for (const [some, most, paths] of asked) {
            const wanted = tabularFilter(some as Partial<TabularFilter>);
            expect((await pagesOf(opened, wanted, most)).flat()).toEqual(await fromRows(opened, wanted, most));
            const rows = await opened.store.tabular.page(scanOf(wanted, { limit: most }));
            const pages = await gathered(opened.store.tabular.packedScan(wanted, [], most, partsOf(paths)));
            const documents = pages.flatMap((page) => unpackReadings(page, paths));
            const expected = rows.map(readingDocuments(paths));
            expect(documents).toEqual(expected);
            expect(documents.map((one) => Object.keys(one))).toEqual(expected.map((one) => Object.keys(one)));
          }
          await opened.store.tabular.delete(tabularFilter({ includeInternal: true }), 1e6);
        },
      ),
      { seed: 20_261_127, numRuns: 40 },
    );
  });

  it('come in pages that grow, of one stream, of all and of some', async () => {
    await insert(manyRows(7000, (n) => ({ componentName: `sensor-${n % 3}`, internal: n % 3 === 2 })));
    for (const [filter, count] of [
      [tabularFilter({ componentName: 'sensor-1' }), 2333],
      [tabularFilter({ includeInternal: true }), 7000],
      [tabularFilter(), 4667],
    ] as const) {
      const pages = await pagesOf(opened, filter);
      expect(pages.flat()).toEqual(await fromRows(opened, filter, 7000));
      expect(pages.flat().length).toBe(count);
      expect(pages[0]!.length).toBeLessThan(300);
      expect(pages.length).toBeLessThan(30);
    }
  });

  it('come in small pages where payloads are large', async () => {
    const text = 'x'.repeat(40_000);
    await insert(
      manyRows(700, (n) => ({ componentName: `sensor-${n % 3}`, payload: { n, text }, internal: n % 3 === 2 })),
    );
    for (const filter of [tabularFilter({ includeInternal: true }), tabularFilter()]) {
      const pages = await pagesOf(opened, filter);
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(210);
      expect(pages.flat().length).toBeGreaterThan(460);
    }
  });

  it('stay small enough for the database where readings are suddenly much larger', { timeout: 60_000 }, async () => {
    const text = 'x'.repeat(250_000);
    const payloadOf = (n: number): StructObject => (n < 450 ? {} : n % 25 === 0 ? { text, kg: NaN } : { text });
    await insert(
      manyRows(700, (n) => ({ componentName: `sensor-${n % 3}`, payload: payloadOf(n), internal: n % 3 === 2 })),
    );
    const lengthOf = ({ payloads, unusual }: PackedReadings): number => payloads.length + text.length * unusual.length;
    for (const [filter, parts, count] of [
      [tabularFilter({ includeInternal: true }), usualParts, 700],
      [tabularFilter({ componentName: 'sensor-1' }), partsOf(null), 233],
      [tabularFilter(), partsOf(null), 467],
    ] as const) {
      const pages = await gathered(opened.store.tabular.packedScan(filter, [], Infinity, parts));
      expect(Math.max(...pages.map(lengthOf))).toBeLessThan(34 * 2 ** 20);
      const times = pages.flatMap(({ timesRequested }) => [...timesRequested]);
      expect([times.length, new Set(times).size]).toEqual([count, count]);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('hold one state, whatever other hosts write meanwhile', async () => {
    await insert(manyRows(6000));
    const other = await opened.openAgain();
    const found: number[] = [];
    for await (const readings of opened.store.tabular.packedScan(tabularFilter(), [], Infinity, usualParts)) {
      found.push(...readings.timesRequested);
      if (found.length > 100) continue;
      await other.tabular.delete(tabularFilter({ interval: { start: 3000, end: null } }), 1e6);
      await other.tabular.insert([tabularRow('late', { timeRequested: 2900.5 })], anonymousReceipt());
    }
    expect(found).toEqual(Array.from({ length: 6000 }, (_, n) => n));
    expect((await pagesOf(opened, tabularFilter())).flat().length).toBe(3001);
  });

  it('give their connection back where the rest is not wanted', async () => {
    await insert(manyRows(600));
    const reader = openPostgresReader(opened.url);
    for (let n = 0; n < 3; n++) {
      for await (const { timesRequested } of reader.tabular.packedScan(tabularFilter(), [], Infinity, usualParts)) {
        expect(timesRequested.length).toBe(100);
        break;
      }
    }
    expect(await reader.tabular.summarize(tabularFilter())).toEqual({ count: 600, totalSizeBytes: 6000 });
  });

  it('leave the thread of a host free while its query worker reads', { timeout: 60_000 }, async () => {
    for (let n = 0; n < 2; n++)
      await insert(
        manyRows(10_000).map((row) => ({ ...row, id: `${n}-${row.id}`, timeRequested: row.timeRequested + n })),
      );
    const runner = new IsolatedQueryRunner({
      rows: null,
      startWorker: nodeQueryWorkers({ databaseUrl: opened.url }),
      clock: testClock,
      turns: undivided(1),
    });
    const stages = [{ $group: { _id: '$data.readings.temp', n: { $sum: 1 } } }].map((stage) => serialize(stage));
    const query = { organizationId: 'org', source: allReadings, stages };
    const asker = { organizationId: 'org', keyId: null, isPipeline: false };
    const run = () => runner.run(query, asker, defaultQueryLimits, new AbortController().signal);
    const [group, ...others] = (await run()).map((row) => deserialize(row));
    expect([group!['n'], others]).toEqual([20_000, []]);
    const before = performance.eventLoopUtilization();
    for (let n = 0; n < 5; n++) await run();
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.4);
    runner.close();
  });

  it('read each row about once, also of a table that the planner knows nothing of', async () => {
    await insert(manyRows(20_000, (n) => ({ componentName: `sensor-${n % 4}` })));
    const database = new PostgresDatabase(opened.url, { connections: 1 });
    const rowsRead = async (): Promise<number> => {
      const [row] = await database.rows(
        "SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_user_tables WHERE relname = 'tabular_captures'",
      );
      return row!['count'] as number;
    };
    const host = await opened.openAgain();
    const before = await rowsRead();
    expect((await gathered(host.tabular.packedScan(tabularFilter(), [], Infinity, usualParts))).length).toBeGreaterThan(
      5,
    );
    await host.close(); // what a session has read is counted at its end
    await expect.poll(rowsRead).toBeGreaterThanOrEqual(before + 20_000);
    expect(await rowsRead()).toBeLessThan(before + 30_000);
    await database.close();
  });

  it('are counted by their origins, in the order of their first readings', async () => {
    const components = ['door', 'oven', 'oven', 'fridge', 'door', 'oven'];
    await insert(manyRows(6, (n) => ({ componentName: components[n]!, internal: n === 5 })));
    await insert([tabularRow('late', { timeRequested: 0.5, componentName: 'window' })]);
    const counts = async (changes: Partial<TabularFilter>) =>
      Array.from(await opened.store.tabular.originCounts(tabularFilter(changes)), ({ origin, count }) => [
        origin.componentName,
        count,
      ]);
    expect(await counts({})).toEqual([['door', 2], ['window', 1], ['oven', 2], ['fridge', 1]]); // prettier-ignore
    expect(await counts({ interval: { start: 2, end: 4 } })).toEqual([['oven', 1], ['fridge', 1]]); // prettier-ignore
    expect(await counts({ includeInternal: true, componentName: 'oven' })).toEqual([['oven', 2], ['oven', 1]]); // prettier-ignore
    expect(await counts({ interval: { start: 4, end: 4 } })).toEqual([]);
  });
});
