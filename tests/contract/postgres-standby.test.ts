import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { UploadReceipt } from '../../src/data-service/ports/upload-receipt.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { openDatabase } from '../../src/platform/node/postgres-data-store/open-database.ts';
import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import {
  PostgresDatabase,
  type PostgresLimits,
  type Statements,
} from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { postgresProbe } from '../../src/platform/node/postgres-data-store/postgres-probe.ts';
import { keepReceipt, receiptStore } from '../../src/platform/data-store/entities/receipt-store.ts';
import { runInTurn } from '../../src/platform/data-store/steps.ts';
import { PostgresTables, postgresTables } from '../../src/platform/node/postgres-data-store/postgres-tables.ts';
import {
  hasPostgres,
  startPostgres,
  urlOfServers,
  withoutPostgres,
  type PostgresServer,
} from '../postgres/postgres-server.ts';
import { deferred } from '../deferred.ts';
import { testClock } from './data-store/blobs.ts';

const receipt: UploadReceipt = {
  organizationId: 'org',
  uploadId: 'upload',
  fromClient: true,
  fileId: 'file',
  binaryDataId: '',
  timeSynced: 1,
};
/** Settings under which a killed server keeps what it has committed. */
const settings = { autovacuum: 'off', fsync: 'off', jit: 'off', shared_buffers: '64MB' };
const isLinux = process.platform === 'linux';

describe.skipIf(!hasPostgres || !isLinux)(`a PostgreSQL with a standby (Linux; ${withoutPostgres})`, () => {
  let [primary, standby]: [PostgresServer?, PostgresServer?] = [];
  let name: string;
  const opened: PostgresDatabase[] = [];
  beforeAll(async () => {
    primary = await startPostgres(settings);
    ({ name } = await primary.createDatabase());
    standby = await primary.startStandby();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });
  afterAll(async () => {
    await standby?.stop();
    await primary?.stop();
  });
  // the standby first: it is asked, and passed over
  const open = async (
    limits: Partial<PostgresLimits> = {},
    servers = [standby!, primary!],
  ): Promise<PostgresDatabase> => {
    const database = await openDatabase(urlOfServers(servers, name), limits);
    opened.push(database);
    return database;
  };
  const waiting = async (): Promise<readonly number[]> =>
    (await primary!.ask("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).map(
      ({ pid }) => pid as number,
    );
  const receiptsOf = (database: PostgresDatabase) => receiptStore(postgresTables(database));
  const keepIn = (statements: Statements, uploadId: string) =>
    runInTurn(keepReceipt(new PostgresTables(statements), { ...receipt, uploadId }));
  const keep = (database: PostgresDatabase, uploadId: string) =>
    database.write((statements) => keepIn(statements, uploadId));

  /** Begins a transaction that keeps a receipt when it is told to go on. */
  const begin = async (database: PostgresDatabase, uploadId: string) => {
    const [begun, told] = [deferred(), deferred()];
    const kept = database.write(async (statements) => {
      await statements.row('SELECT 1');
      begun.resolve();
      await told.promise;
      await keepIn(statements, uploadId);
    });
    await begun.promise;
    return { kept, goOn: () => told.resolve() };
  };

  it('acknowledges no write before the standby has it', async () => {
    const database = await open();
    const goOn = standby!.freeze();
    let isAcknowledged = false;
    const kept = keep(database, 'waits').then(() => (isAcknowledged = true));
    try {
      await expect.poll(waiting).toHaveLength(1);
      expect(isAcknowledged).toBe(false);
      expect(await receiptsOf(database).get('org', 'waits')).toBeNull();
    } finally {
      goOn();
    }
    await kept;
    expect(await receiptsOf(database).get('org', 'waits')).toMatchObject({ uploadId: 'waits' });
  });

  it('is said to wait for no standby where it is set so', async () => {
    const lax = async (setting: string) => {
      const options = encodeURIComponent(`-c synchronous_commit=${setting}`);
      const url = `${urlOfServers([primary!], name)}&options=${options}`;
      const store = await openPostgresDataStore(url, memoryDataStore(testClock).blobs, { connections: 1 });
      const settings = await store.laxSettings();
      await store.close();
      return settings;
    };
    expect(await lax('local')).toEqual(['fsync = off', 'synchronous_commit = local']);
    expect(await lax('remote_apply')).toEqual(['fsync = off']);
  });

  it('says in words that a write waits for too long, and keeps it once the standby is back', async () => {
    const database = await open({ statementTimeoutMs: 2000, silenceMs: 0 });
    const goOn = standby!.freeze();
    try {
      await expect(keep(database, 'late')).rejects.toMatchObject({
        code: 'unavailable',
        message: 'The database took too long for this call. Try again.',
      });
    } finally {
      goOn();
    }
    await expect.poll(() => receiptsOf(database).get('org', 'late')).toMatchObject({ uploadId: 'late' });
  });

  it('acknowledges no write whose wait for the standby was cancelled, also when it is sent again', async () => {
    const database = await open();
    const found: unknown[] = [];
    const goOn = standby!.freeze();
    try {
      const kept = expect(keep(database, 'cancelled')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('has not confirmed this write'),
      });
      await expect.poll(waiting).toHaveLength(1);
      await primary!.ask(`SELECT pg_cancel_backend(${(await waiting())[0]})`);
      await kept;
      // the receipt is on the primary alone: an answer by it would acknowledge it
      void receiptsOf(database)
        .get('org', 'cancelled')
        .then((receiptFound) => found.push(receiptFound));
      await expect.poll(waiting).toHaveLength(1);
      expect(found).toEqual([]);
    } finally {
      goOn();
    }
    await expect.poll(() => found).toMatchObject([{ uploadId: 'cancelled' }]);
  });

  it('is left by hosts whose one address led to the standby, as soon as it leads to the primary', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightglass-address-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const address = join(folder, 'address');
    const lead = (to: PostgresServer): void => {
      rmSync(address, { force: true });
      symlinkSync(to.folder, address);
    };
    const url = urlOfServers([{ ...standby!, folder: address }], name);
    const [database, probe] = [new PostgresDatabase(url), postgresProbe(url, 10_000)];
    onTestFinished(async () => void (await Promise.all([database.close(), probe.close()])));
    lead(standby!);
    for (const ask of [() => database.rows('SELECT 1'), () => keep(database, 'astray'), () => probe.ask()]) {
      await expect(ask()).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('as a standby is'),
      });
    }
    lead(primary!);
    await keep(database, 'arrived');
    await probe.ask();
  });

  it('goes on with the standby once that is promoted, also when the former primary is started again', async () => {
    const [asking, resting, idle] = [await open(), await open(), await open()];
    await keep(asking, 'before');
    await keep(resting, 'before it rests');
    const amid = await open();
    const [one, other] = [await begin(amid, 'one'), await begin(amid, 'other')];
    await primary!.restart('standby');
    await expect(keep(asking, 'between')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The database cannot be reached. Try again.',
      detail: expect.stringMatching(/this is a standby; this is a standby\.$/),
    });
    await standby!.ask('SELECT pg_promote()');
    await keep(asking, 'after');
    await keep(resting, 'after its rest');
    await primary!.restart();
    one.goOn(); // while another connection to the former primary is still in use
    await one.kept;
    other.goOn();
    await other.kept;
    const keptByAll = await asking.rows('SELECT count(*) AS count FROM receipts');
    expect(await idle.rows('SELECT count(*) AS count FROM receipts')).toEqual(keptByAll);
    const late = await open({}, [primary!, standby!]);
    for (const [by, host] of [asking, resting, late].entries()) await keep(host, `by ${by}`);

    const promoted = await open({}, [standby!]);
    const kept = await promoted.rows('SELECT upload_id FROM receipts ORDER BY upload_id');
    const all = ['after', 'after its rest', 'arrived', 'before', 'before it rests', 'by 0', 'by 1', 'by 2'];
    expect(kept.map((row) => row['upload_id'])).toEqual([...all, 'cancelled', 'late', 'one', 'other', 'waits']);
  });
});
