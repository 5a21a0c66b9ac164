import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gathered } from '../dataset-fixture.ts';
import type { StoreError } from '../../src/data-service/ports/store-error.ts';
import { migrations } from '../../src/platform/node/postgres-data-store/schema.ts';
import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { auditFilter } from './data-store/audit.ts';
import { addEntriesOfParts, entriesOfParts, tablesWithParts, withoutPart } from './entries-of-parts.ts';
import { testClock } from './data-store/blobs.ts';
import { openDatabase } from '../../src/platform/node/postgres-data-store/open-database.ts';
import { postgresProbe } from '../../src/platform/node/postgres-data-store/postgres-probe.ts';
import {
  PostgresDatabase,
  type PostgresLimits,
} from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { hasPostgres, startPostgres, withoutPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { tablesOfOrganizations } from '../postgres/statements-of-organizations.ts';

describe.skipIf(!hasPostgres)(`a PostgreSQL database (${withoutPostgres})`, () => {
  let server: PostgresServer;
  let url: string;
  const opened: PostgresDatabase[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await server.stop();
  });
  beforeEach(async () => {
    ({ url } = await server.createDatabase());
  });
  const open = async (limits: Partial<PostgresLimits> = {}): Promise<PostgresDatabase> => {
    const database = await openDatabase(url, limits);
    opened.push(database);
    return database;
  };

  describe('its schema', () => {
    it('is made once by hosts that start at the same time', async () => {
      const hosts = await Promise.all(Array.from({ length: 6 }, () => open()));
      expect(await hosts[5]!.rows('SELECT version FROM schema_version')).toEqual([{ version: migrations.length }]);
    });

    it('is waited for, for longer than a call may take, where another host is at it', async () => {
      const keeper = new PostgresDatabase(url, { connections: 1 });
      opened.push(keeper);
      const hosts: Promise<PostgresDatabase>[] = [];
      await keeper.write(async (statements) => {
        await statements.run('SELECT pg_advisory_xact_lock($1)', 0x5167_6c73);
        hosts.push(open({ statementTimeoutMs: 500, lockTimeoutMs: 500, silenceMs: 0 }));
        await statements.run('SELECT pg_sleep(1.5)');
      });
      const [host] = await Promise.all(hosts);
      expect(await host!.rows('SELECT version FROM schema_version')).toEqual([{ version: migrations.length }]);
    });

    it('is refused where a newer version made it, and left as it is', async () => {
      const newer = migrations.length + 1;
      await (await open()).write((statements) => statements.run('UPDATE schema_version SET version = $1', newer));
      await expect(open()).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining(`schema ${newer}; this one knows ${migrations.length}`),
      });
      expect(await opened.at(-1)!.rows('SELECT version FROM schema_version')).toEqual([{ version: newer }]);
    });

    it.each(Array.from(migrations, (_, version) => version))(
      'of version %d is brought up to date, and has who changed what from then on',
      async (version) => {
        const older = new PostgresDatabase(url, { connections: 1 });
        opened.push(older);
        await older.write(async (statements) => {
          for (const migration of migrations.slice(0, version)) await statements.run(migration);
          await statements.run('CREATE TABLE schema_version (version integer NOT NULL)');
          await statements.run('INSERT INTO schema_version VALUES ($1)', version);
        });
        const store = await openPostgresDataStore(url, memoryDataStore(testClock).blobs);
        await store.access.createOrganization({ id: 'org', name: 'Org', timeCreated: 1 });
        expect(await store.audit.page(auditFilter(), null, 10)).toMatchObject([
          { what: 'organization', objectId: 'org' },
        ]);
        await store.close();
      },
    );

    it('of a version without parts is brought up to date: a task is of the part of its image, all else of all parts', async () => {
      const blobs = memoryDataStore(testClock).blobs;
      const store = await openPostgresDataStore(url, blobs);
      await addEntriesOfParts(store);
      const wanted = await entriesOfParts(store);
      await store.close();
      expect([wanted.tasks.length, wanted.ofArm.length]).toEqual([1003, 501]);
      const older = new PostgresDatabase(url, { connections: 1 });
      opened.push(older);
      await older.write(async (statements) => {
        for (const table of tablesWithParts) {
          for (const { id, entry } of await statements.rows(`SELECT id, entry FROM ${table}`))
            await statements.run(`UPDATE ${table} SET entry = $1 WHERE id = $2`, withoutPart(entry), id as string);
        }
        const counting =
          "SELECT proname AS name FROM pg_proc WHERE proname LIKE '%\\_counted' OR proname = 'count_labelling'";
        for (const { name } of await statements.rows(counting))
          await statements.run(`DROP FUNCTION ${name as string} CASCADE`);
        await statements.run('ALTER TABLE usage_counts DROP COLUMN labelling, DROP COLUMN labelling_bytes');
        await statements.run('ALTER TABLE label_tasks DROP COLUMN part_id, DROP COLUMN is_blind; DROP TABLE deletions');
        const version = migrations.findIndex((sql) => sql.includes('ADD COLUMN part_id'));
        await statements.run('UPDATE schema_version SET version = $1', version);
      });
      const again = await openPostgresDataStore(url, blobs);
      expect(await entriesOfParts(again)).toEqual(wanted);
      await again.close();
    });

    it('needs no right to be changed where it is there', async () => {
      const database = await open();
      await database.write(async (statements) => {
        await statements.run(`CREATE ROLE host LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO host`);
      });
      const host = await openDatabase(url.replace('postgres@', 'host@'));
      opened.push(host);
      expect(await host.rows('SELECT count(*) AS count FROM receipts')).toEqual([{ count: 0 }]);
    });

    it('has the organization as the first column of every key, and of every index but those that find it', async () => {
      const indexes = await (
        await open()
      ).rows(`
        SELECT index.relname AS name, attribute.attname AS first
        FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
        JOIN pg_class AS held ON held.oid = indrelid JOIN pg_namespace AS space ON space.oid = held.relnamespace
        JOIN pg_attribute AS attribute ON attribute.attrelid = indrelid AND attribute.attnum = indkey[0]
        WHERE space.nspname = 'public'`);
      const others = indexes.filter(({ first }) => first !== 'organization_id').map(({ name }) => name);
      expect(indexes.length).toBeGreaterThan(10);
      const ofInstallation = ['installation_secrets_pkey', 'installation_state_pkey', 'leases_pkey'];
      const ofTokens = ['token_renewals_by_end', 'token_renewals_pkey'];
      const ofAll = ['binary_captures_by_blob', 'receipts_by_time'];
      const findingIt = ['keys_by_id', 'locations_by_id', 'parts_by_id', 'pipelines_by_id', 'saved_queries_by_id'];
      // a person may belong to several organizations
      const ofPeople = others.filter((name) => /^(people|members|invitations|passkeys|sessions)_/.test(name as string));
      // lists of ids, which belong to one organization; an inverted index has no order that could begin with it
      const ofLists = ['sequences_by_dataset'];
      expect(others.toSorted()).toEqual(
        [...ofInstallation, ...ofTokens, ...ofPeople, ...ofAll, ...findingIt, ...ofLists].toSorted(),
      );
    });
  });

  describe('its tables, to be spread by organization,', () => {
    const distributing =
      /^SELECT create_distributed_table\('(\w+)', 'organization_id', colocate_with => 'organizations'\);$/gm;
    const staying = /^-- {3}((?:\w+ ?)+)$/m;

    it('are those of the script for Citus, and what stays where it is has no organization', async () => {
      const database = await open();
      const script = await readFile(new URL('../../deploy/citus.sql', import.meta.url), 'utf8');
      const distributed = ['organizations', ...Array.from(script.matchAll(distributing), ([, table]) => table!)];
      const stays = staying.exec(script)![1]!.split(' ');
      const all = await database.rows("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
      const ofOrganizations = await tablesOfOrganizations(database);
      expect(script).toContain("\nSELECT create_distributed_table('organizations', 'organization_id');\n");
      expect(distributed.toSorted()).toEqual([...ofOrganizations].sort());
      expect([...distributed, ...stays].sort()).toEqual(all.map(({ name }) => name).sort());
    });

    it('have the organization in every unique key, and every foreign key leads within it', async () => {
      const database = await open();
      const keys = await database.rows(`
        SELECT index.relname AS name, held.relname AS table, array_agg(attribute.attname::text) AS columns
        FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_class AS held ON held.oid = indrelid
        JOIN pg_namespace AS space ON space.oid = held.relnamespace
        JOIN pg_attribute AS attribute ON attribute.attrelid = indrelid AND attribute.attnum = ANY (indkey[0 : indnkeyatts - 1])
        WHERE space.nspname = 'public' AND indisunique GROUP BY 1, 2`);
      const ofOrganizations = await tablesOfOrganizations(database);
      const own = keys.filter(({ table }) => ofOrganizations.has(table as string));
      expect(own.length).toBeGreaterThan(20);
      expect(own.filter(({ columns }) => !(columns as string[]).includes('organization_id'))).toEqual([]);

      const foreign = await database.rows(`
        SELECT conname AS name, held.relname AS table, ARRAY (
          SELECT attribute.attname || ' ' || referred.attname FROM unnest(conkey, confkey) AS pair (own, their)
          JOIN pg_attribute AS attribute ON attribute.attrelid = conrelid AND attribute.attnum = pair.own
          JOIN pg_attribute AS referred ON referred.attrelid = confrelid AND referred.attnum = pair.their
        ) AS pairs
        FROM pg_constraint JOIN pg_class AS held ON held.oid = conrelid WHERE contype = 'f'`);
      const within = foreign.filter(({ table }) => ofOrganizations.has(table as string));
      expect(within.length).toBeGreaterThan(0);
      const astray = within.filter(({ pairs }) => !(pairs as string[]).includes('organization_id organization_id'));
      expect(astray).toEqual([]);
    });
  });

  describe('its transactions', () => {
    const counted = async (): Promise<PostgresDatabase> => {
      const database = await open();
      await database.write((statements) =>
        statements.run(
          "CREATE TABLE counters (name text PRIMARY KEY, count integer); INSERT INTO counters VALUES ('a', 0), ('b', 0)",
        ),
      );
      return database;
    };
    const counts = async (database: PostgresDatabase) =>
      (await database.rows('SELECT count FROM counters ORDER BY name')).map(({ count }) => count);

    it('are kept whole or not at all, and what was thrown reaches the caller', async () => {
      const database = await counted();
      const refusal = new Error('enough');
      const half = database.write(async (statements) => {
        await statements.run('UPDATE counters SET count = 1');
        throw refusal;
      });
      await expect(half).rejects.toBe(refusal);
      expect(await counts(database)).toEqual([0, 0]);
    });

    it('are run again after a deadlock', async () => {
      const database = await counted();
      let runs = 0;
      let arrived = 0;
      let meet = (): void => undefined;
      const both = new Promise<void>((resolve) => (meet = resolve));
      const addInOrder = (names: readonly string[]) =>
        database.write(async (statements) => {
          runs++;
          await statements.run('UPDATE counters SET count = count + 1 WHERE name = $1', names[0]!);
          if (++arrived === 2) meet();
          await both;
          await statements.run('UPDATE counters SET count = count + 1 WHERE name = $1', names[1]!);
        });
      await Promise.all([addInOrder(['a', 'b']), addInOrder(['b', 'a'])]);
      expect(await counts(database)).toEqual([2, 2]);
      expect(runs).toBeGreaterThan(2);
    });

    it('that were undone behind a caught error are no success', async () => {
      const database = await counted();
      const swallowed = database.write(async (statements) => {
        await statements.run('UPDATE counters SET count = 1');
        await statements.run('SELECT 1 / 0').catch(() => undefined);
      });
      await expect(swallowed).rejects.toThrow('undone');
      expect(await counts(database)).toEqual([0, 0]);
    });

    it('read one unchanging state', async () => {
      const database = await counted();
      const seen = await database.read(async (statements) => {
        const before = await statements.row('SELECT sum(count)::integer AS sum FROM counters');
        await database.write((other) => other.run('UPDATE counters SET count = 7'));
        return [before, await statements.row('SELECT sum(count)::integer AS sum FROM counters')];
      });
      expect(seen).toEqual([{ sum: 0 }, { sum: 0 }]);
      const writing = database.read((statements) => statements.run('UPDATE counters SET count = 8'));
      await expect(writing).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('read-only'),
      });
    });
  });

  describe('rows that are copied', () => {
    const columns = ['name', 'n', 'bytes'];
    const tableOf = async (): Promise<PostgresDatabase> => {
      const database = await open({ connections: 1 });
      await database.write((statements) =>
        statements.run('CREATE TABLE copied (name text PRIMARY KEY, n double precision, bytes bytea)'),
      );
      return database;
    };
    const all = (database: PostgresDatabase) => database.rows('SELECT * FROM copied ORDER BY n');

    it('are kept as they were given, however many', async () => {
      const database = await tableOf();
      const odd = [
        '',
        '\\N',
        '\\.',
        'a\tb',
        'two\nlines',
        '\r\n',
        '\b\f\v',
        '{"t":"\\u0000\\n"}',
        'ünï😀',
        'NULL',
        '"',
      ];
      const rows = odd.map((name, n) => [name, n + 0.1, n % 2 === 0 ? null : Buffer.from([n, 0, 255])] as const);
      const many = Array.from({ length: 5000 }, (_, n) => [`${n} ${'x'.repeat(100)}`, 1000 + n, null] as const);
      await database.write((statements) => statements.copy('copied', columns, [...rows, ...many]));
      expect(await all(database)).toEqual([...rows, ...many].map(([name, n, bytes]) => ({ name, n, bytes })));
    });

    it('are none, and the connection is good, where one is there already or cannot be made', async () => {
      const database = await tableOf();
      const copy = (rows: Iterable<readonly (string | number)[]>) =>
        database.write((statements) => statements.copy('copied', ['name', 'n'], rows));
      await copy([['a', 1]]);
      await expect(
        copy([
          ['b', 2],
          ['a', 3],
        ]),
      ).rejects.toMatchObject({ code: 'already-exists', message: expect.stringContaining('copied already') });
      const refusal = new Error('enough');
      const half = function* () {
        for (let n = 10; n < 5000; n++) yield [`${n} ${'x'.repeat(100)}`, n];
        throw refusal;
      };
      await expect(copy(half())).rejects.toBe(refusal);
      expect(await all(database)).toEqual([{ name: 'a', n: 1, bytes: null }]);
    });
  });

  describe('its transactions that give what they read one by one', () => {
    it('are not run again once something of them was given', async () => {
      const database = await open();
      let runs = 0;
      const values = database.readAll(async function* (statements) {
        runs++;
        yield (await statements.row('SELECT $1::integer AS run', runs))!['run'];
        throw Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
      });
      expect(await values.next()).toEqual({ done: false, value: 1 });
      await expect(values.next()).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
      expect(runs).toBe(1);
    });

    it('are run again where nothing was given yet', async () => {
      const database = await open();
      let runs = 0;
      const values = database.readAll(async function* (statements) {
        await statements.row('SELECT 1');
        if (++runs < 3) throw Object.assign(new Error('conflict with recovery'), { code: '40001' });
        yield runs;
      });
      expect(await gathered(values)).toEqual([3]);
    });
  });

  describe('its faults', () => {
    const failing = (work: (database: PostgresDatabase) => Promise<unknown>, limits = {}) =>
      open(limits)
        .then(work)
        .then(
          () => expect.unreachable(),
          (error: unknown) => error as StoreError,
        );

    it('are told in words: a row that is there already', async () => {
      const error = await failing(async (database) => {
        const insert = () =>
          database.write((statements) => statements.run("INSERT INTO datasets VALUES ('org', 'd', 'name', '')"));
        await insert();
        await insert();
      });
      expect(error).toMatchObject({ name: 'StoreError', code: 'already-exists' });
      expect(error.message).toContain('(organization_id, id)=(org, d)');
    });

    it('are told in words: a statement that takes too long, a row that stays locked', async () => {
      const slow = await failing((database) => database.rows('SELECT pg_sleep(60)'), { statementTimeoutMs: 20 });
      expect(slow).toMatchObject({ code: 'unavailable', message: expect.stringContaining('took too long') });
      const locked = await failing(
        (database) =>
          database.write(async (statements) => {
            await statements.run('LOCK TABLE datasets');
            await database.rows('SELECT 1 FROM datasets');
          }),
        { lockTimeoutMs: 20 },
      );
      expect(locked).toMatchObject({ code: 'unavailable', message: expect.stringContaining('locked by another call') });
    });

    it('leave the connection as it was where the server ends a statement that takes too long', async () => {
      const database = await open({ connections: 1, statementTimeoutMs: 50 });
      const backend = async () => (await database.rows('SELECT pg_backend_pid() AS pid'))[0]!['pid'];
      const before = await backend();
      await expect(database.rows('SELECT pg_sleep(60)')).rejects.toThrow('took too long');
      expect(await backend()).toBe(before);
    });

    it('lock nothing for ever: a host that hangs within a transaction loses it after a minute', async () => {
      const database = await open();
      expect(await database.rows('SHOW idle_in_transaction_session_timeout')).toEqual([
        { idle_in_transaction_session_timeout: '1min' },
      ]);
    });

    it('are told in words: a value that is larger than the server can hold', async () => {
      const error = await failing((database) => database.rows("SELECT repeat('x', 2000000000)"));
      expect(error).toMatchObject({ name: 'StoreError', code: 'resource-exhausted' });
      expect(error.message).toContain('more at once than the database can hold');
    });

    it('are told in words: a full pool', async () => {
      const full = await failing((database) => database.read(() => database.rows('SELECT 1')), {
        connections: 1,
        connectTimeoutMs: 1000,
      });
      expect(full).toMatchObject({ code: 'unavailable', message: expect.stringContaining('in use by other calls') });
    });

    it('are told in words: no such server, user or database, and never the password', async () => {
      const nowhere = 'postgres://keeper:opensesame@127.0.0.1:1/sightglass';
      const noSocket = 'postgres://keeper:opensesame@localhost/sightglass?host=/var/empty/no-such-folder';
      for (const wrong of [
        nowhere,
        noSocket,
        url.replace(/store_\d+/, 'nothing'),
        url.replace('postgres@', 'nobody@'),
      ]) {
        const error = await openDatabase(wrong).then(
          () => expect.unreachable(),
          (reason: unknown) => reason as StoreError,
        );
        expect(error).toMatchObject({ name: 'StoreError', code: 'unavailable' });
        expect(error.message).not.toContain('opensesame');
      }
    });

    it('end with the connection that broke: the next call opens another', async () => {
      const database = await open();
      const ended = database.write((statements) => statements.run('SELECT pg_terminate_backend(pg_backend_pid())'));
      await expect(ended).rejects.toMatchObject({ code: 'unavailable' });
      expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('are told in words: a server that takes no writes any more, as after another one has taken its place', async () => {
      const database = await open();
      const probe = postgresProbe(url, 10_000);
      await probe.ask();
      await server.restart('standby');
      const words = { code: 'unavailable', message: expect.stringContaining('it is read-only, as a standby is') };
      for (let n = 0; n < 2; n++) {
        await expect(database.write((statements) => statements.rows('SELECT 1'))).rejects.toMatchObject(words);
        await expect(database.rows('SELECT 1 AS one')).rejects.toMatchObject(words);
        await expect(probe.ask()).rejects.toMatchObject(words);
      }
      await server.restart();
      expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await probe.ask();
      await probe.close();
    });

    it('end with a connection that takes no writes: the next call opens another', async () => {
      const database = await open({ connections: 1 });
      const backend = async () => (await database.rows('SELECT pg_backend_pid() AS pid'))[0]!['pid'];
      const before = await backend();
      await expect(database.read((statements) => statements.run('DELETE FROM datasets'))).rejects.toMatchObject({
        code: 'unavailable',
      });
      expect(await backend()).not.toBe(before);
    });

    it('end with the server that ended: the first call after its start is answered', async () => {
      const database = await open();
      await Promise.all([1, 2, 3].map((n) => database.rows('SELECT $1::integer', n)));
      await server.restart();
      expect(await database.write((statements) => statements.rows('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    });
  });
});
