import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { advisoryLock } from '../../src/platform/node/postgres-data-store/advisory-lock.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import type { PostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { hasPostgres, withoutPostgres } from '../postgres/postgres-server.ts';
import { noteStatements, tablesOfOrganizations, withoutOrganization } from '../postgres/statements-of-organizations.ts';
import { postgresStores, type OpenedStore } from '../postgres/postgres-stores.ts';
import { testClock } from './data-store/blobs.ts';
import {
  anonymousReceipt,
  binaryFilter,
  binaryRecord,
  box,
  clientReceipt,
  idsOf,
  scanOf,
  tabularFilter,
  tabularRow,
} from './data-store/captures.ts';
import { describeDataStore } from './data-store/describe-data-store.ts';

/** A text that no compression makes short enough for an index. */
const incompressible = (seed: number): string =>
  Array.from({ length: 300 }, (_, n) => createHash('sha256').update(`${seed} ${n}`).digest('base64')).join('');

/** How many statements of a database wait for a lock. */
const waiting = async (database: PostgresDatabase): Promise<unknown> =>
  (
    await database.rows(
      "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
  )[0]!['count'];

/** Whoever calls is known by an id alone, schedulers and keepers look after all organizations, and a blob is anybody's. */
const askedOfAll = [
  'DELETE FROM receipts WHERE time_synced < $1',
  'SELECT blob_address FROM binary_captures WHERE blob_address = ANY($1::text[])',
  'SELECT entry FROM deletions WHERE true ORDER BY time_started, id',
  'SELECT entry FROM keys WHERE id = $1 LIMIT 1',
  'SELECT entry FROM locations WHERE id = $1 LIMIT 1',
  'SELECT entry FROM organizations WHERE true',
  'SELECT entry FROM parts WHERE id = $1 LIMIT 1',
  'SELECT entry FROM pipelines WHERE id = $1 LIMIT 1',
  'SELECT entry FROM pipelines WHERE id = $1 LIMIT 1 FOR UPDATE',
  'SELECT entry FROM pipelines WHERE is_enabled = $1',
  'SELECT entry FROM saved_queries WHERE id = $1 LIMIT 1',
  'SELECT entry FROM saved_queries WHERE id = $1 LIMIT 1 FOR UPDATE',
];
const askedByTests = [
  "DELETE FROM binary_captures WHERE id = 'a'",
  "DELETE FROM tabular_captures WHERE id = 'id-0'",
  'SELECT FROM receipts',
  'SELECT count(*) AS count FROM streams',
];

describe.skipIf(!hasPostgres)(`the data store in PostgreSQL (${withoutPostgres})`, () => {
  const stores = postgresStores(() => memoryDataStore(testClock).blobs);
  let opened: OpenedStore;
  beforeEach(async () => {
    opened = await stores.open();
  });
  afterEach(() => opened.close());
  const binary = () => opened.store.binary;
  const tabular = () => opened.store.tabular;

  let statements: ReturnType<typeof noteStatements>;
  beforeAll(() => {
    statements = noteStatements();
  });
  afterAll(() => statements.end());

  describeDataStore('in PostgreSQL', () => stores.open());

  it('keeps and finds texts that PostgreSQL has no place for: U+0000, and too long for its indexes', async () => {
    const odd = ['nul\0', incompressible(1), incompressible(2), '\u0001', 'plain'];
    const records = odd.map((text, n) =>
      binaryRecord(`id-${n}`, { tags: [text, 'shared'], componentName: text, boundingBoxes: [box(text)] }),
    );
    await binary().insert(records, anonymousReceipt());
    expect(await binary().get('org', ['id-0', 'id-1', 'no\0where'])).toEqual([records[0], records[1], null]);
    expect(await binary().distinctTags(binaryFilter())).toEqual([...odd, 'shared'].sort());
    expect(await binary().distinctBoxLabels(binaryFilter({ tags: ['shared'] }))).toEqual([...odd].sort());
    for (const [n, text] of odd.entries()) {
      for (const filter of [{ tags: [text] }, { boxLabels: [text] }, { componentName: text }]) {
        expect(idsOf(await binary().page(scanOf(binaryFilter(filter))))).toEqual([`id-${n}`]);
        expect(await binary().summarize(binaryFilter(filter))).toEqual({ count: 1, totalSizeBytes: 100 });
      }
    }
  });

  it('reads many streams of readings in one order, with a batch for each', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) =>
      tabularRow(`id-${String(n).padStart(4, '0')}`, {
        timeRequested: (n * 7919) % 3000,
        componentName: `sensor-${n % 5}`,
      }),
    );
    await tabular().insert(rows, anonymousReceipt());
    const inOrder = rows.toSorted((a, b) => b.timeRequested - a.timeRequested);
    const page = await tabular().page(scanOf(tabularFilter(), { order: 'descending', limit: 3000 }));
    expect(idsOf(page)).toEqual(idsOf(inOrder));
    const two = tabularFilter({ componentName: 'sensor-2' });
    expect(await tabular().summarize(two)).toEqual({ count: 600, totalSizeBytes: 6000 });
  });

  describe('with many hosts', () => {
    it('goes on deleting beside a host that deletes the same readings', async () => {
      await tabular().insert(
        Array.from({ length: 10 }, (_, n) => tabularRow(`id-${n}`, { timeRequested: n, tags: ['t'] })),
        anonymousReceipt(),
      );
      const database = new PostgresDatabase(opened.url, { connections: 2 });
      let deletion = Promise.resolve(0);
      await database.write(async (statements) => {
        await advisoryLock(statements, 'delete readings', 'org');
        await statements.run("DELETE FROM tabular_captures WHERE id = 'id-0'");
        deletion = tabular().delete(tabularFilter(), 5);
        await expect.poll(() => waiting(database)).toBe(1);
      });
      expect(await deletion).toBe(5);
      await database.close();
    });

    it('deletes each reading once, tagged ones too, when hosts delete the same ones', async () => {
      const rows = Array.from({ length: 5000 }, (_, n) =>
        tabularRow(`id-${n}`, { timeRequested: n, tags: n % 5 === 0 ? ['t'] : [] }),
      );
      await tabular().insert(rows, anonymousReceipt());
      const other = await opened.openAgain();
      const counts = await Promise.all([
        ...[1, 2, 3].map(() => tabular().delete(tabularFilter(), 1e6)),
        ...[1, 2, 3].map(() => other.tabular.delete(tabularFilter(), 1e6)),
      ]);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5000);
      expect((await tabular().summarize(tabularFilter())).count).toBe(0);
      expect((await tabular().summarize(tabularFilter({ tags: ['t'] }))).count).toBe(0);
    });

    it('finds the streams that others add at the same time, whoever commits first', async () => {
      const hosts = [opened.store, await opened.openAgain(), await opened.openAgain()];
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          hosts[n % 3]!.tabular.insert(
            [tabularRow(`a-${n}`, { componentName: `s-${n}` }), tabularRow(`b-${n}`, { componentName: `s-${n % 7}` })],
            anonymousReceipt(),
          ),
        ),
      );
      for (const host of hosts) {
        expect((await host.tabular.page(scanOf(tabularFilter(), { limit: 1000 }))).length).toBe(120);
      }
      const database = new PostgresDatabase(opened.url, { connections: 1 });
      expect(await database.rows('SELECT count(*) AS count FROM streams')).toEqual([{ count: 60 }]);
      await database.close();
    });

    it('says since when an upload is under way, from its stamp on, and counts neither reads nor strangers', async () => {
      const now = 1_800_000_000_000_000;
      await opened.setTime(now);
      const { oldestWrite } = opened.store;
      const database = new PostgresDatabase(opened.url, { connections: 2 });
      const uploads: Promise<void>[] = [];
      const stranger = new pg.Client({ connectionString: opened.url, application_name: 'psql' });
      try {
        await stranger.connect();
        await stranger.query('BEGIN; SELECT pg_current_xact_id()');
        await database.read(async (statements) => {
          await statements.rows('SELECT FROM receipts');
          expect(await oldestWrite()).toBe(now);
        });
        // a lock that writes nothing itself, at which the upload waits
        await database.write(async (statements) => {
          await statements.run('LOCK TABLE receipts IN SHARE MODE');
          uploads.push(tabular().insert([tabularRow('a')], clientReceipt('up'), now));
          await expect.poll(() => waiting(database)).toBe(1);
          expect(await oldestWrite()).toBeLessThan(now);
        });
        await Promise.all(uploads);
        expect(await oldestWrite()).toBe(now);
      } finally {
        await Promise.all([stranger.end(), database.close()]);
      }
    });

    it('gives an id once over all organizations, and a name once within one, to the first who asks', async () => {
      const hosts = [opened.store, await opened.openAgain()];
      for (const id of ['one', 'two']) await hosts[0]!.access.createOrganization({ id, name: id, timeCreated: 1 });
      const locationOf = (n: number) => ({ id: 'loc', organizationId: ['one', 'two'][n]!, name: 'loc' });
      const dataset = { organizationId: 'one', name: 'taken', type: 'binary', timeCreated: 1 } as const;
      const query = { organizationId: 'one', name: 'taken', stages: [], timeCreated: 1, timeUpdated: 1 };
      type Create = (host: PostgresDataStore, n: number) => Promise<void>;
      const races: readonly (readonly [string, string, Create])[] = [
        ['locations', 'loc', ({ access }, n) => access.createLocation(locationOf(n))],
        ['datasets', 'taken', ({ datasets }, n) => datasets.create({ ...dataset, id: `d-${n}` })],
        ['saved_queries', 'taken', ({ savedQueries }, n) => savedQueries.create({ ...query, id: `q-${n}` })],
      ];
      const database = new PostgresDatabase(opened.url, { connections: 2 });
      for (const [table, subject, create] of races) {
        let both: Promise<PromiseSettledResult<void>[]> | null = null;
        await database.write(async (statements) => {
          await statements.run(`LOCK TABLE ${table} IN SHARE MODE`); // both may look before either writes
          both = Promise.allSettled(hosts.map(create));
          await expect.poll(() => waiting(database)).toBe(2);
        });
        const outcomes = await both!;
        const refusals = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason as Error] : [],
        );
        expect(refusals).toMatchObject([{ code: 'already-exists', subject }]);
        expect(refusals[0]!.message).toContain('exists already');
      }
      await database.close();
    });

    it('keeps a dataset for as long as an upload into it is under way', async () => {
      const database = new PostgresDatabase(opened.url, { connections: 3 });
      const { datasets } = await opened.openAgain();
      await datasets.create({ id: 'd', organizationId: 'org', name: 'd', type: 'binary', timeCreated: 1 });
      const record = binaryRecord('a', { tags: ['SVC_DATASET_d'] });
      // the upload waits for another record of its id, so that the deletion comes between its steps
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let holding = Promise.resolve(0);
      await new Promise<void>((holds) => {
        holding = database.write(async (statements) => {
          await statements.run("INSERT INTO binary_captures VALUES ('org', 'a', 0, 0, 0, '', '')");
          holds();
          await held;
          return statements.run("DELETE FROM binary_captures WHERE id = 'a'");
        });
      });
      const upload = binary().insert([record], anonymousReceipt());
      await expect.poll(() => waiting(database)).toBe(1);
      const deletion = datasets.delete('org', 'd').catch((error: unknown) => error);
      await expect.poll(() => waiting(database)).toBe(2);
      release();
      await Promise.all([holding, upload]);
      expect(await deletion).toMatchObject({ code: 'conflict', subject: 'd' });
      await database.close();
    });
  });

  it('say of each statement by which organization it finds rows, but for what is asked of all', async () => {
    const database = new PostgresDatabase(opened.url, { connections: 1 });
    try {
      const tables = await tablesOfOrganizations(database);
      expect(statements.texts.size).toBeGreaterThan(100);
      const found = await withoutOrganization(database, statements.texts, tables);
      expect(found.toSorted()).toEqual([...askedOfAll, ...askedByTests].toSorted());
    } finally {
      await database.close();
    }
  });
});
