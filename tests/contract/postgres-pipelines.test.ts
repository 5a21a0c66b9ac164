import { serialize } from 'bson';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredIndex } from '../../src/data-service/ports/index-store.ts';
import type { IndexProgress } from '../../src/platform/data-store/index-builds.ts';
import { sharedAdvisoryLock } from '../../src/platform/node/postgres-data-store/advisory-lock.ts';
import { lockIndexes } from '../../src/platform/node/postgres-data-store/live-indexes.ts';
import type { PostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { hasPostgres, withoutPostgres } from '../postgres/postgres-server.ts';
import { noteStatements, tablesOfOrganizations, withoutOrganization } from '../postgres/statements-of-organizations.ts';
import { postgresStores, type OpenedStore } from '../postgres/postgres-stores.ts';
import { testClock } from './data-store/blobs.ts';
import { anonymousReceipt, idsOf, scanOf, tabularFilter, tabularRow } from './data-store/captures.ts';
import { freeTerms, pipelineOf, runOf } from './data-store/example-pipeline.ts';
import { describeFieldIndexes } from './data-store/field-indexes.ts';
import { temperatureIndex } from './data-store/indexes.ts';
import { describeSinkIndexes } from './data-store/sink-indexes.ts';
import { describeSchedulers } from './pipeline-schedulers.ts';

const pipeline = pipelineOf('p');
const run = runOf('run', 100);
const sinkIndex: StoredIndex = {
  ...temperatureIndex,
  collection: { kind: 'pipeline-sink', pipelineId: 'p' },
  key: [{ path: 'temp', direction: 1 }],
};
const resultOf = (count: number) => ({
  timeEnded: 60,
  dataSeenUntil: 55,
  documents: Array.from({ length: count }, (_, temp) => serialize({ temp })),
});

/** A pipeline is known by its id alone, and hosts look after the windows and the indexes of all organizations. */
const askedOfAll = [
  'SELECT entry FROM pipelines WHERE id = $1 LIMIT 1',
  'SELECT entry FROM pipelines WHERE id = $1 LIMIT 1 FOR UPDATE',
  'SELECT entry FROM pipelines WHERE is_enabled = $1',
  "SELECT id, state, position, entry FROM indexes WHERE state <> 'built' ORDER BY organization_id, id",
];
const askedByTests = [
  'SELECT (SELECT count(*) FROM indexes) AS indexes, (SELECT count(*) FROM field_values) AS of_fields, (SELECT count(*) FROM sink_values) AS of_sinks',
  'SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM sinks) AS sinks',
  "SELECT FROM field_values WHERE id = 'id-300' FOR UPDATE",
  "SELECT FROM sinks WHERE key LIKE '%/000300' FOR UPDATE",
  "SELECT FROM tabular_captures WHERE id = 'id-300' FOR UPDATE",
  "SELECT entry FROM runs WHERE id = 'run' FOR UPDATE",
];

describe.skipIf(!hasPostgres)(`pipelines and indexes in PostgreSQL (${withoutPostgres})`, () => {
  const stores = postgresStores(() => memoryDataStore(testClock).blobs);

  let statements: ReturnType<typeof noteStatements>;
  beforeAll(() => {
    statements = noteStatements();
  });
  afterAll(() => statements.end());

  describeFieldIndexes('in PostgreSQL', () => stores.open());
  describeSinkIndexes('in PostgreSQL', () => stores.open());
  describeSchedulers('in PostgreSQL', () => stores.open());

  describe('of many hosts', () => {
    let opened: OpenedStore;
    let database: PostgresDatabase;
    beforeEach(async () => {
      opened = await stores.open();
      database = new PostgresDatabase(opened.url, { connections: 4 });
    });
    afterEach(async () => {
      await database.close();
      await opened.close();
    });

    const exactly = (value: number | string, path = 'data.readings.temp') => ({
      path,
      from: { value, inclusive: true },
      to: { value, inclusive: true },
    });
    const readings = (count: number, from = 0) =>
      Array.from({ length: count }, (_, n) =>
        tabularRow(`id-${from + n}`, { timeRequested: from + n, payload: { readings: { temp: n % 10 } } }),
      );
    const counts = async () =>
      (
        await database.rows(
          `SELECT (SELECT count(*) FROM indexes) AS indexes, (SELECT count(*) FROM field_values) AS of_fields,
             (SELECT count(*) FROM sink_values) AS of_sinks`,
        )
      )[0];
    const waiting = async () => {
      const sql =
        "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      return (await database.rows(sql))[0]!['count'];
    };

    it('a run that is being completed is not given up as lost', async () => {
      const { pipelines } = opened.store;
      await pipelines.create(pipeline);
      await pipelines.claim(run, freeTerms);
      let claim = Promise.resolve(true);
      await database.write(async (statements) => {
        // what `complete` does first, held open
        await statements.row("SELECT entry FROM runs WHERE id = 'run' FOR UPDATE");
        const completing = pipelines.complete(run, resultOf(1));
        await expect.poll(waiting).toBe(1);
        claim = pipelines.claim({ ...run, id: 'again' }, freeTerms);
        await expect.poll(waiting).toBe(2);
        void completing.catch(() => undefined);
      });
      expect(await claim).toBe(false);
      expect((await pipelines.runs('p', null, 10)).map(({ status }) => status)).toEqual(['completed']);
    });

    it('nothing is left of a pipeline that is deleted while a run of it is completed', async () => {
      const { pipelines, indexes } = opened.store;
      await pipelines.create(pipeline);
      await indexes.create(sinkIndex);
      for (let n = 0; n < 20; n++)
        await pipelines.claim({ ...run, id: `run-${n}`, window: { start: n, end: n + 1 } }, freeTerms);
      const other = await opened.openAgain();
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 20 }, (_, n) => other.pipelines.complete({ ...run, id: `run-${n}` }, resultOf(3))),
        pipelines.delete('p'),
      ]);
      expect(outcomes.at(-1)!.status).toBe('fulfilled');
      const [left] = await database.rows(
        'SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM sinks) AS sinks',
      );
      expect(left).toEqual({ runs: 0, sinks: 0 });
      expect(await counts()).toEqual({ indexes: 0, of_fields: 0, of_sinks: 0 });
    });

    it('an index is made when the writes that do not know it have ended, and others wait for it', async () => {
      const { tabular, pipelines, indexes } = opened.store;
      await pipelines.create(pipeline);
      await pipelines.claim(run, freeTerms);
      let make = Promise.resolve();
      await database.write(async (statements) => {
        await sharedAdvisoryLock(statements, 'indexes', 'org'); // as a write that is under way
        make = indexes.create(temperatureIndex);
        await expect.poll(waiting).toBe(1);
      });
      await make;
      let writes: Promise<unknown> = Promise.resolve();
      await database.write(async (statements) => {
        await lockIndexes(statements, 'org'); // as one that makes or deletes an index
        writes = Promise.all([tabular.insert(readings(3), anonymousReceipt()), pipelines.complete(run, resultOf(1))]);
        await expect.poll(waiting).toBe(2);
      });
      await writes;
      await database.write(async (statements) => {
        await sharedAdvisoryLock(statements, 'indexes', 'org');
        await tabular.insert(readings(3, 3), anonymousReceipt()); // writes do not wait for each other
      });
      expect(await counts()).toEqual({ indexes: 1, of_fields: 6, of_sinks: 0 });
    });

    it('an index is filled with what is written while it is made, by whoever', async () => {
      const hosts = [opened.store, await opened.openAgain()];
      await hosts[0]!.pipelines.create(pipeline);
      const writes = Array.from({ length: 40 }, async (_, n) => {
        const { tabular, pipelines } = hosts[n % 2]!;
        await tabular.insert(readings(20, 20 * n), anonymousReceipt());
        const own = { ...run, id: `run-${n}`, window: { start: n, end: n + 1 } };
        await pipelines.claim(own, freeTerms);
        await pipelines.complete(own, resultOf(3));
      });
      const made = [temperatureIndex, sinkIndex].map((index, n) => hosts[n]!.indexes.create(index));
      await Promise.all([...writes, ...made]);
      expect(await counts()).toEqual({ indexes: 2, of_fields: 800, of_sinks: 120 });
      const found = await hosts[1]!.tabular.pageByHints(scanOf(tabularFilter(), { limit: 1000 }), [exactly(7)]);
      expect(found).toHaveLength(80);
      const rows = await hosts[0]!.pipelines.sink('p', null, 1000, [exactly(2, 'temp')]);
      expect(rows).toHaveLength(40);
    });

    it('an index is built by two at once, and left as it would be by one', async () => {
      await opened.store.tabular.insert(readings(3000), anonymousReceipt());
      const other = await opened.openAgain();
      const outcomes = await Promise.allSettled(
        [opened.store, other].map(({ indexes }) => indexes.create(temperatureIndex)),
      );
      // the second may come when it is built already
      expect(outcomes[0]!.status).toBe('fulfilled');
      expect(await counts()).toEqual({ indexes: 1, of_fields: 3000, of_sinks: 0 });
      expect(await other.indexes.list('org', temperatureIndex.collection)).toEqual([temperatureIndex]);
    });

    /** Has an index made, and another host do something while a turn of its build holds the readings that it has read. */
    const whileFilled = async (work: (other: PostgresDataStore) => Promise<unknown>) => {
      await opened.store.tabular.insert(readings(3), anonymousReceipt());
      const other = await opened.openAgain();
      const started: Promise<unknown>[] = [];
      await database.write(async (statements) => {
        await statements.run('LOCK TABLE field_values IN SHARE MODE');
        started.push(opened.store.indexes.create(temperatureIndex).catch((error: unknown) => error));
        await expect.poll(waiting).toBe(1);
        started.push(work(other));
        await expect.poll(waiting).toBe(2);
      });
      const [made] = await Promise.all(started);
      return made;
    };

    it('an index that is deleted while it is filled stays so, and leaves no values', async () => {
      const made = await whileFilled(({ indexes }) => indexes.delete('org', temperatureIndex.collection, 'temp_1'));
      expect(made).toMatchObject({ code: 'not-found', subject: 'temp_1' });
      expect(await counts()).toEqual({ indexes: 0, of_fields: 0, of_sinks: 0 });
    });

    it('an index is made of readings of which some are deleted while it is filled', async () => {
      expect(await whileFilled(({ tabular }) => tabular.delete(tabularFilter(), 2))).toBeUndefined();
      expect(await counts()).toEqual({ indexes: 1, of_fields: 1, of_sinks: 0 });
    });

    /** Closes a host while what it does waits for rows that are locked here. */
    const closeAt = async (locked: string, { close }: PostgresDataStore, work: () => Promise<unknown>) => {
      let ended: Promise<unknown> = Promise.resolve();
      let closed = Promise.resolve();
      await database.write(async (statements) => {
        await statements.rows(`${locked} FOR UPDATE`);
        ended = expect(work()).rejects.toMatchObject({ code: 'unavailable' });
        await expect.poll(waiting).toBe(1);
        closed = close();
      });
      await Promise.all([ended, closed]);
    };

    it.each<[string, StoredIndex, string, object]>([
      [
        'readings',
        temperatureIndex,
        "SELECT FROM tabular_captures WHERE id = 'id-300'",
        { of_fields: 1500, of_sinks: 0 },
      ],
      [
        'results of a pipeline',
        sinkIndex,
        "SELECT FROM sinks WHERE key LIKE '%/000300'",
        { of_fields: 0, of_sinks: 1500 },
      ],
    ])('the build of one over %s that a host left is taken up where it was', async (_, wanted, locked, expected) => {
      const { tabular, pipelines, indexes } = opened.store;
      await tabular.insert(readings(1500), anonymousReceipt());
      await pipelines.create(pipeline);
      await pipelines.claim(run, freeTerms);
      await pipelines.complete(run, resultOf(1500));
      const ending = await opened.openAgain();
      await closeAt(locked, ending, () => ending.indexes.create(wanted));
      expect(await indexes.list('org', wanted.collection)).toEqual([]);
      expect(await indexes.beingBuilt('org', wanted.collection)).toEqual([{ index: wanted, progress: null }]);
      const told: IndexProgress[] = [];
      const other = await opened.openAgain();
      await other.takeUpIndexes((progress) => told.push(progress));
      const { rows, of, ...named } = told.at(-1)!;
      expect(named).toEqual({ organizationId: 'org', index: wanted.name });
      expect(rows).toBe(of);
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThan(1500 - 300);
      expect(other.waitingIndexRows()).toBe(0);
      expect(await counts()).toEqual({ indexes: 1, ...expected });
    });

    it('what a host left of a deleted index is removed by another one, and its name is free at once', async () => {
      const { tabular, indexes, takeUpIndexes } = opened.store;
      await tabular.insert(readings(3000), anonymousReceipt());
      const ending = await opened.openAgain();
      await ending.indexes.create(temperatureIndex);
      await closeAt("SELECT FROM field_values WHERE id = 'id-300'", ending, () =>
        ending.indexes.delete('org', temperatureIndex.collection, temperatureIndex.name),
      );
      expect(await counts()).toMatchObject({ indexes: 1 });
      await Promise.all([takeUpIndexes(() => undefined), indexes.create(temperatureIndex)]);
      expect(await counts()).toEqual({ indexes: 1, of_fields: 3000, of_sinks: 0 });
    });

    it('values leave an index with their readings, and long ones are found', async () => {
      const { indexes, tabular } = opened.store;
      await indexes.create(temperatureIndex);
      const long = 'x'.repeat(5000);
      const rows = [long, `${long}y`, 'nul\0', '\ud800'].map((temp, n) =>
        tabularRow(`text-${n}`, { timeRequested: n, payload: { readings: { temp } } }),
      );
      await tabular.insert(rows, anonymousReceipt());
      const found = async (value: string) =>
        idsOf(await tabular.pageByHints(scanOf(tabularFilter()), [exactly(value)]));
      expect(await found(long)).toEqual(['text-0', 'text-1']);
      expect(await found('nul\0')).toEqual(['text-2']);
      expect(await found('\ud800')).toEqual(['text-3']);
      const beyond = { path: 'data.readings.temp', from: { value: long, inclusive: false }, to: null };
      expect(idsOf(await tabular.pageByHints(scanOf(tabularFilter()), [beyond]))).toContain('text-1');
      await tabular.delete(tabularFilter(), 10);
      expect(await counts()).toMatchObject({ of_fields: 0 });
    });
  });

  it('say of each statement by which organization it finds rows, but for what is asked of all', async () => {
    const opened = await stores.open();
    const database = new PostgresDatabase(opened.url, { connections: 1 });
    try {
      const tables = await tablesOfOrganizations(database);
      const found = await withoutOrganization(database, statements.texts, tables);
      expect(found.toSorted()).toEqual([...askedOfAll, ...askedByTests].toSorted());
    } finally {
      await database.close();
      await opened.close();
    }
  });
});
