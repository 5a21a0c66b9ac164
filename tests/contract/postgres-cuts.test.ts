import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { hasPostgres, startPostgres, withoutPostgres, type PostgresServer } from '../postgres/postgres-server.ts';

/** A balancer before the server that cuts connections when something is sent over them. */
interface Balancer {
  readonly url: string;
  /** how many connections it has taken */
  readonly taken: () => number;
  /** Cuts those that are there. */
  cutIdle(): void;
  /** Hands on what has this text, and cuts the connection when it is answered. */
  cutAt(text: string): void;
  /** Hands on nothing that has this text. */
  swallow(text: string): void;
}

const socketName = '.s.PGSQL.5432';

async function startBalancer(server: PostgresServer, name: string): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-balancer-'));
  let taken = 0;
  let cut = '';
  let swallowed = '';
  let doomed = new Set<Socket>();
  const open = new Set<Socket>();
  const balancer = createServer((client) => {
    taken++;
    open.add(client);
    const upstream = connect(join(server.folder, socketName));
    client.on('data', (bytes) => {
      if (doomed.has(client)) return void client.destroy();
      if (swallowed !== '' && bytes.includes(swallowed)) return;
      if (cut === '' || !bytes.includes(cut)) return void upstream.write(bytes);
      doomed.add(client);
      upstream.end(bytes);
    });
    upstream.on('data', (bytes) => (doomed.has(client) ? client.destroy() : client.write(bytes)));
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client
      .on('error', () => upstream.destroy())
      .on('close', () => {
        open.delete(client);
        upstream.destroy();
      });
  });
  await new Promise<void>((resolve) => balancer.listen(join(folder, socketName), resolve));
  await chmod(folder, 0o700);
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => balancer.close(resolve));
    await rm(folder, { recursive: true });
  });
  return {
    url: `postgres://postgres@localhost/${name}?host=${encodeURIComponent(folder)}`,
    taken: () => taken,
    cutIdle: () => (doomed = new Set(open)),
    cutAt: (text) => (cut = text),
    swallow: (text) => (swallowed = text),
  };
}

describe.skipIf(!hasPostgres)(`a PostgreSQL behind a balancer that cuts connections (${withoutPostgres})`, () => {
  let server: PostgresServer;
  let balancer: Balancer;
  let database: PostgresDatabase;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    balancer = await startBalancer(server, (await server.createDatabase()).name);
    database = new PostgresDatabase(balancer.url, { connections: 4 });
    onTestFinished(() => database.close());
    await database.write((statements) => statements.run('CREATE TABLE notes (text text)'));
    // so many connections are open now
    const all = [1, 2, 3, 4].map(() => database.rows('SELECT pg_sleep(0.05)'));
    await Promise.all(all);
    expect(balancer.taken()).toBe(4);
  });
  const notes = async () => (await database.rows('SELECT text FROM notes')).map(({ text }) => text);
  const note = (text: string) => database.write((statements) => statements.run('INSERT INTO notes VALUES ($1)', text));

  const sleeping =
    "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(0.5)'";
  const busy = async () => (await server.ask(sleeping))[0]!['count'];

  it.each([
    ['a statement that reads', async () => void (await notes())],
    ['a read of several', () => database.read(async (statements) => void (await statements.rows('SELECT 1')))],
    ['a write', async () => void (await note('kept'))],
  ])('answers %s over a new connection where all that were idle are dead', async (_, call) => {
    balancer.cutIdle();
    await call();
    expect(balancer.taken()).toBe(5);
  });

  it.each([
    ['a statement that reads', 'FROM notes', () => notes()],
    ['a write before its commit', 'INSERT', () => note('lost')],
  ])('tries %s that is cut off once more, and no oftener', async (_, at, call) => {
    balancer.cutAt(at);
    const words = { code: 'unavailable', message: 'The database cannot be reached. Try again.' };
    await expect(call()).rejects.toMatchObject(words);
    expect(balancer.taken()).toBe(5);
    balancer.cutAt('');
    expect(await notes()).toEqual([]);
  });

  it('keeps what was opened since the first of the connections was lost, when another is found to be lost with it', async () => {
    const slow = database.rows('SELECT pg_sleep(0.5)');
    await expect.poll(busy).toBe(1);
    balancer.cutIdle();
    await notes();
    expect(balancer.taken()).toBe(5);
    await slow; // it was cut off, too, and asked once more
    await notes();
    expect(balancer.taken()).toBe(5);
  });

  it('does not ask again what the server said nothing to for as long as anything may take', async () => {
    const hasty = new PostgresDatabase(balancer.url, { connections: 1, statementTimeoutMs: 100, silenceMs: 100 });
    onTestFinished(() => hasty.close());
    balancer.swallow('FROM notes');
    const words = { code: 'unavailable', message: 'The database took too long for this call. Try again.' };
    await expect(hasty.rows('SELECT text FROM notes')).rejects.toMatchObject(words);
    expect(balancer.taken()).toBe(5);
  });

  it('asks which of several servers is the primary once, not again where all connections are in use', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-other-server-'));
    let asked = 0;
    const other = createServer((client) => (asked++, client.destroy()));
    await new Promise<void>((resolve) => other.listen(join(folder, socketName), resolve));
    onTestFinished(async () => {
      await new Promise((resolve) => other.close(resolve));
      await rm(folder, { recursive: true });
    });
    const several = new PostgresDatabase(`${balancer.url},${encodeURIComponent(folder)}`, {
      connections: 1,
      connectTimeoutMs: 500,
    });
    onTestFinished(() => several.close());
    const full = several.read(() => several.rows('SELECT 1'));
    await expect(full).rejects.toThrow('All connections to the database are in use');
    expect(asked).toBe(1);
  });

  it('does not write again what was cut off at its commit: it may be kept', async () => {
    balancer.cutAt('COMMIT\0');
    await expect(note('once')).rejects.toMatchObject({ code: 'unavailable' });
    expect(balancer.taken()).toBe(4);
    balancer.cutAt('');
    expect(await notes()).toEqual(['once']);
  });
});
