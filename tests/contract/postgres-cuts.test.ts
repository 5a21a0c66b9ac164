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
}

const socketName = '.s.PGSQL.5432';

async function startBalancer(server: PostgresServer, name: string): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-balancer-'));
  let taken = 0;
  let cut = '';
  let doomed = new Set<Socket>();
  const open = new Set<Socket>();
  const balancer = createServer((client) => {
    taken++;
    open.add(client);
    const upstream = connect(join(server.folder, socketName));
    client.on('data', (bytes) => {
      if (doomed.has(client)) return void client.destroy();
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

  it('does not write again what was cut off at its commit: it may be kept', async () => {
    balancer.cutAt('COMMIT\0');
    await expect(note('once')).rejects.toMatchObject({ code: 'unavailable' });
    expect(balancer.taken()).toBe(4);
    balancer.cutAt('');
    expect(await notes()).toEqual(['once']);
  });
});
