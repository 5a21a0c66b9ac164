import { serialize, setInternalBufferSize, type Document } from 'bson';
import { expect, it, describe } from 'vitest';
import { startTime, uploadReading } from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../data-service/memory-store/memory-data-store.ts';
import { inlineQueryWorker } from '../../data-service/query/inline-query-worker.ts';
import { IsolatedQueryRunner } from '../../data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../../data-service/query/query-rows.ts';
import { scramUser } from '../../data-service/access/scram-user.ts';
import type { ServerLimits } from '../server-limits.ts';
import { serveForTest, type TestServer } from '../test-server.ts';
import { encodeMessage, encodeRequest, RawClient } from './test-client.ts';

const password = 'correct horse';

async function serveMongo(limits: Partial<ServerLimits> = {}): Promise<TestServer & { readonly mongoPort: number }> {
  const clock = { now: () => startTime };
  const store = memoryDataStore(clock);
  const runner = { rows: readQueryRows(store), startWorker: inlineQueryWorker, clock, maxWorkers: 2 };
  const service = { store, queryRunner: new IsolatedQueryRunner(runner) };
  const server = await serveForTest({ mongoPort: 0, limits, service });
  return { ...server, mongoPort: server.mongoPort! };
}

/** Somebody who may read organization a, whose scale said 1. */
async function loggedIn(server: TestServer & { readonly mongoPort: number }): Promise<RawClient> {
  const client = new RawClient(server.mongoPort);
  await client.logIn('db-user-a', password);
  return client;
}

async function prepare(server: TestServer): Promise<void> {
  const { dependencies, owner } = server.service;
  await uploadReading(owner, { kg: 1 });

  await dependencies.store.access.putDatabaseUser(await scramUser(dependencies.secrets, 'a', password));
}

const find = { find: 'readings', $db: 'sensorData' };

describe('an old driver', () => {
  const query = (command: object): Buffer => {
    const body = Buffer.concat([Buffer.alloc(4), Buffer.from('admin.$cmd\0'), Buffer.alloc(8), serialize(command)]);
    const head = Buffer.alloc(16);
    head.writeInt32LE(16 + body.length, 0);
    head.writeInt32LE(7, 4);
    head.writeInt32LE(2004, 12);
    return Buffer.concat([head, body]);
  };

  it('is answered its hello as it asked, and nothing else', async () => {
    const { mongoPort } = await serveMongo();
    const client = new RawClient(mongoPort);
    client.socket.write(query({ isMaster: 1 }));
    expect(await client.answer()).toMatchObject({ ismaster: true, maxWireVersion: 21, readOnly: true, ok: 1 });
    client.socket.write(query(find));
    expect(await client.answer()).toMatchObject({ ok: 0, code: 352 });
    client.socket.destroy();
  });
});

describe('a client', () => {
  it('may send commands at once, and leave out the answers it does not want', async () => {
    const server = await serveMongo();
    await prepare(server);
    const client = await loggedIn(server);
    const silent = encodeRequest(2, { insert: 'readings', $db: 'sensorData' }, 1 << 1);
    const count = encodeRequest(3, { count: 'readings', $db: 'sensorData' });
    client.socket.write(Buffer.concat([encodeRequest(1, find), silent, count]));
    expect(await client.answer()).toMatchObject({ cursor: { firstBatch: [{ data: { readings: { kg: 1 } } }] } });
    expect(await client.answer()).toMatchObject({ n: 1, ok: 1 });
    client.socket.destroy();
  });

  it('sees nothing any more after it logged out', async () => {
    const server = await serveMongo();
    await prepare(server);
    const client = await loggedIn(server);
    expect(await client.ask({ logout: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
    expect(await client.ask(find)).toMatchObject({ ok: 0, code: 13 });
    client.socket.destroy();
  });

  const tooLong = encodeRequest(1, { ping: 1, pad: 'x'.repeat(20_000), $db: 'admin' });
  it.each<[string, string | Buffer, string]>([
    ['says nothing', '', 'stalled'],
    ['does not finish what it began', encodeRequest(1, { hello: 1 }).subarray(0, 30), 'stalled'],
    ['speaks HTTP', 'GET / HTTP/1.1\r\nhost: here\r\n\r\n', 'garbage'],
    ['announces two gigabytes', Buffer.from('ffffff7f0100000000000000dd070000', 'hex'), 'garbage'],
    ['sends more than a stranger has to', tooLong, 'garbage'],
  ])('is cut off that %s', async (_, bytes, reason) => {
    const { mongoPort, log } = await serveMongo({ headersTimeoutMs: 200 });
    const client = new RawClient(mongoPort);
    client.socket.write(bytes);
    await client.closed;
    expect(log()).toContain(`"reason":"${reason}"`);
  });

  it('is cut off that takes no answers', async () => {
    const server = await serveMongo({ stallTimeoutMs: 200 });
    await prepare(server);
    const { owner } = server.service;
    for (let n = 0; n < 8; n++) await uploadReading(owner, { long: 'x'.repeat(2 ** 20) }, startTime + n);
    const client = await loggedIn(server);
    client.socket.pause();
    const asked = Buffer.concat(Array.from({ length: 10 }, (_, id) => encodeRequest(id, find)));
    client.socket.write(asked);
    await expect.poll(() => server.log(), { timeout: 20_000 }).toContain('"reason":"stalled"');
    client.socket.destroy();
  });

  it('finds a place though strangers crowd in', async () => {
    const server = await serveMongo({ maxConnections: 6 });
    await prepare(server);
    const crowd = Array.from({ length: 3 }, () => new RawClient(server.mongoPort));
    for (const one of crowd) await one.ask({ ping: 1, $db: 'admin' });
    const client = await loggedIn(server);
    await crowd[0]!.closed;
    expect(await client.ask(find)).toMatchObject({ ok: 1 });
    expect(await crowd[2]!.ask({ ping: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
    for (const { socket } of [...crowd, client]) socket.destroy();
  });
});

it.each<[string, object, number]>([
  ['with a field that bson keeps for itself', { ...find, filter: { _bsontype: 'Long' } }, 2],
  ['nested without end', { ...find, filter: nested(3000) }, 2],
  ['larger than a document may be', { ...find, filter: { text: 'x'.repeat(17 * 2 ** 20) } }, 10334],
])('a query %s is refused', async (_, command, code) => {
  const server = await serveMongo();
  await prepare(server);
  const client = await loggedIn(server);
  client.socket.write(encodeMessage(1, encodeLarge(command)));
  expect(await client.answer()).toMatchObject({ ok: 0, code });
  expect(server.service.defects).toEqual([]);
  client.socket.destroy();
});

function nested(levels: number): Document {
  let document: Document = {};
  for (let level = 0; level < levels; level++) document = { n: document };
  return document;
}

/** bson itself keeps the names of its classes, and documents to 17 MiB. */
function encodeLarge(command: object): Uint8Array {
  setInternalBufferSize(20 * 2 ** 20);
  const bytes = Buffer.from(serialize(JSON.parse(JSON.stringify(command).replace('_bsontype', '_bsonkind')) as object));
  const at = bytes.indexOf('_bsonkind');
  if (at >= 0) bytes.write('_bsontype', at);
  return bytes;
}

describe('any bytes', () => {
  it('of a stranger end in an answer or a closed connection', async () => {
    const server = await serveMongo({ headersTimeoutMs: 60_000 });
    await prepare(server);
    const draw = new Draw(1);
    for (let count = 0; count < 1000; count++) {
      const client = new RawClient(server.mongoPort);
      client.socket.end(draw.bytes());
      client.socket.resume();
      await client.closed;
    }
    expect(server.service.defects).toEqual([]);
    expect(await new RawClient(server.mongoPort).ask({ ping: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
  });

  it('of a user end in an answer or a closed connection, and every answer has a reason', async () => {
    const server = await serveMongo();
    await prepare(server);
    const draw = new Draw(2);
    let client = await loggedIn(server);
    let answers = 0;
    for (let count = 0; count < 3000; count++) {
      client.socket.write(draw.message());
      const answer = await client.answer();
      if (answer === null) client = await loggedIn(server);
      else answers++;
      if (answer?.ok === 0) expect(answer.codeName).not.toBe('InternalError');
      expect(server.service.defects).toEqual([]);
      if ((await client.ask(find))?.code === 13) await client.logIn('db-user-a', password);
    }
    expect(answers).toBeGreaterThan(1500);
    client.socket.destroy();
  }, 60_000);
});

/** Draws messages from a seeded generator: sensible ones with something wrong about them. */
class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** 0 ≤ n < 1, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  of<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.below(choices.length)]!;
  }

  /** Anything at all. */
  bytes(): Buffer {
    const message = this.message();
    const kind = this.below(4);
    if (kind === 0) return Buffer.from(Array.from({ length: this.below(100) }, () => this.below(256)));
    if (kind === 1) return message.subarray(0, this.below(message.length));
    if (kind === 2) return this.flipped(message, 0);
    return Buffer.concat([message, this.message()]);
  }

  /** A whole message, whose command may be no BSON. */
  message(): Buffer {
    const body = Buffer.from(serialize(this.command()));
    return encodeMessage(this.below(100), this.next() < 0.2 ? this.flipped(body, 4) : body);
  }

  flipped(bytes: Buffer, from: number): Buffer {
    for (let flips = 1 + this.below(3); flips > 0; flips--) {
      bytes[from + this.below(bytes.length - from)]! ^= 1 << this.below(8);
    }
    return bytes;
  }

  command(): Document {
    const names = `find find find aggregate aggregate count distinct hello isMaster ping buildInfo saslStart saslContinue connectionStatus getParameter find aggregate count
      distinct getMore killCursors listDatabases listCollections listIndexes insert explain endSessions __proto__ toString`;
    const fields = `filter sort projection skip limit batchSize singleBatch pipeline cursor query key cursors collection
      nameOnly payload mechanism options speculativeAuthenticate saslSupportedMechs maxTimeMS collation hint let lsid
      comment`;
    const needed = this.of([[], ['filter'], ['pipeline', 'cursor'], ['key', 'query']]);
    const command: Document = { [this.of(names.split(/\s+/))]: this.next() < 0.9 ? 'readings' : this.value(0) };
    for (const field of needed) command[field] = this.fitting(field);
    for (let count = this.below(5); count > 0; count--) {
      const field = this.of(fields.split(/\s+/));
      command[field] = this.next() < 0.2 ? this.value(0) : this.fitting(field);
    }
    return { ...command, $db: this.next() < 0.9 ? 'sensorData' : this.value(2) };
  }

  /** Of the type that the field has. */
  fitting(field: string): unknown {
    if (field === 'pipeline') return Array.from({ length: this.below(4) }, () => this.document(1));
    if (/filter|sort|projection|query|options/.test(field)) return this.document(0);
    if (field === 'cursor') return {};
    if (field === 'key') return this.of(['data.readings.kg', 'tags', '$x', 'a.$b', '__proto__']);
    return /skip|limit|Size|MS/.test(field) ? this.of([0, 1, 2, 1000]) : this.value(2);
  }

  document(depth: number): Document {
    const name = (): string =>
      this.of('$match $group $sort $gt $in $expr $where $natural $size _id data.readings.kg n'.split(' '));
    return Object.fromEntries(Array.from({ length: 1 + this.below(2) }, () => [name(), this.value(depth + 1)]));
  }

  value(depth: number): unknown {
    const leaf = (): unknown =>
      this.of([null, true, 0, 1, -1, 0.5, NaN, 2 ** 53, '', 'readings', '$data', 'a\u0000b', new Date(NaN), /a+/i]);
    if (depth > 3) return leaf();
    const document = (): Document => this.document(depth);
    return this.of<() => unknown>([
      leaf,
      document,
      () => Array.from({ length: this.below(3) }, document),
      () => Buffer.from('n,,n=,r=x'),
    ])();
  }
}
