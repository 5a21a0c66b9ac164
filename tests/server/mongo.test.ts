import { serialize } from 'bson';
import { MongoClient, type Document, type MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { scramUser } from '../../src/data-service/access/scram-user.ts';
import { webCryptoSecrets } from '../../src/data-service/access/web-crypto-secrets.ts';
import { makeCertificate } from '../../src/server/test-server.ts';
import { driver, password, serveMongo, type MongoServer, type Organization } from './mongo-server.ts';

const start = '2026-03-11T05:00:00.000Z';
const rows = Array.from({ length: 250 }, (_, n) => ({
  n,
  temp: (n % 10) / 2,
  probe: `probe ${n % 3}`,
  hot: n >= 200,
  ...(n % 50 === 0 ? { spots: [n, n + 1], note: null } : {}),
}));
// The regular expression backtracks practically for ever, so its thread must be terminated.
const patternOfDoom = { $project: { x: { $regexMatch: { input: `${'a'.repeat(60)}!`, regex: '^(a+)+$' } } } };

let server: MongoServer;
let mongo: MongoClient;
beforeAll(async () => {
  server = await serveMongo();
  await server.a.upload('thermometer', start, rows);
  await server.a.upload('scale', '2026-03-12T05:00:00Z', [{ n: 1000 }]);
  await server.b.upload('secret', start, [{ n: -1 }]);
  mongo = await driver(server.a);
});
afterAll(async () => {
  await mongo.close();
  await server.close();
});

const readings = (client: MongoClient = mongo) => client.db().collection('readings');
const numbers = (found: readonly Document[]): number[] => found.map((row) => row.data.readings.n as number);

/** A client that is closed at the end of the test. */
async function clientOf(organization: Organization, options: Parameters<typeof driver>[1] = {}): Promise<MongoClient> {
  const client = await driver(organization, options);
  onTestFinished(() => client.close());
  return client;
}

/** The server's error. */
async function refusal(answer: Promise<unknown>): Promise<Pick<MongoServerError, 'code' | 'codeName' | 'message'>> {
  const error = await answer.then(
    () => new Error('It was not refused.'),
    (error: unknown) => error as MongoServerError,
  );
  if (!('codeName' in error)) throw error;
  return error;
}

/** The number of running commands. */
async function running({ origin }: MongoServer): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/sightglass_mongo_commands_in_flight (\d+)/.exec(metrics)![1]);
}

describe('reading', () => {
  it('gives rows as BSON types', async () => {
    expect(await readings().findOne({ 'data.readings.n': 100 })).toEqual({
      organization_id: 'a',
      location_id: 'a-lab',
      robot_id: 'a-robot',
      part_id: 'a-part',
      component_type: 'rdk:component:sensor',
      component_name: 'thermometer',
      method_name: 'Readings',
      time_requested: new Date('2026-03-11T05:01:40.000Z'),
      time_received: expect.any(Date) as Date,
      tags: [],
      additional_parameters: {},
      data: { readings: { n: 100, temp: 0, probe: 'probe 1', hot: false, spots: [100, 101], note: null } },
    });
  });

  it.each<[string, Document, number]>([
    ['nothing', {}, 251],
    ['a component', { component_name: 'scale' }, 1],
    ['dates', { time_requested: { $gte: new Date(start), $lt: new Date('2026-03-11T05:00:10Z') } }, 10],
    ['a range and a boolean', { 'data.readings.n': { $gte: 190 }, 'data.readings.hot': true }, 50],
    ['a pattern', { 'data.readings.probe': /^PROBE 2$/i }, 83],
    ['alternatives', { $or: [{ 'data.readings.n': { $in: [1, 2] } }, { component_name: 'scale' }] }, 3],
    ['an element of an array', { 'data.readings.spots': 51 }, 1],
    ['the whole organization', { organization_id: 'a' }, 251],
    ['another organization', { organization_id: 'b' }, 0],
  ])('finds and counts by %s', async (_, filter, expected) => {
    expect(await readings().find(filter).toArray()).toHaveLength(expected);
    expect(await readings().countDocuments(filter)).toBe(expected);
  });

  it('sorts, skips, limits and projects', async () => {
    const found = await readings()
      .find({ component_name: 'thermometer' })
      .sort({ 'data.readings.temp': -1, 'data.readings.n': 1 })
      .skip(2)
      .limit(3)
      .project({ _id: 0, 'data.readings.n': 1 })
      .toArray();
    expect(found).toEqual([29, 39, 49].map((n) => ({ data: { readings: { n } } })));
    expect(numbers(await readings().find().sort({ time_requested: -1 }).limit(2).toArray())).toEqual([1000, 249]);
    expect(await readings().find({}, { limit: -2 }).toArray()).toHaveLength(2);
  });

  it('reads long answers in batches, by whatever connection', async () => {
    const cursor = readings().find({ component_name: 'thermometer' }, { batchSize: 40 });
    expect(numbers(await cursor.toArray())).toEqual(rows.map(({ n }) => n));
    const [one, two] = [readings().find({}, { batchSize: 10 }), readings().find({}, { batchSize: 10 })];
    const both: number[] = [];
    for await (const row of one) both.push(...numbers([row, (await two.next())!]));
    expect(both).toHaveLength(502);
  });

  it('forgets a cursor that is closed, and gives it to nobody else', async () => {
    const db = mongo.db();
    const { cursor } = await db.command({ find: 'readings', batchSize: 1 });
    const getMore = { getMore: cursor.id, collection: 'readings', batchSize: 1 };
    expect((await db.command(getMore)).cursor.nextBatch).toHaveLength(1);
    const other = await clientOf(server.b);
    expect(await refusal(other.db().command(getMore))).toMatchObject({ code: 43, codeName: 'CursorNotFound' });
    const foreign = await other.db().command({ killCursors: 'readings', cursors: [cursor.id] });
    expect(foreign).toMatchObject({ cursorsKilled: [], cursorsNotFound: [cursor.id] });
    expect(await db.command({ killCursors: 'readings', cursors: [cursor.id] })).toMatchObject({
      cursorsKilled: [cursor.id],
    });
    expect(await refusal(db.command(getMore))).toMatchObject({ code: 43 });
  });

  it('aggregates', async () => {
    const stages = [
      { $match: { 'data.readings.temp': { $gt: 1 } } },
      { $group: { _id: '$data.readings.probe', mean: { $avg: '$data.readings.temp' }, n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ];
    const expected = [0, 1, 2].map((probe) => {
      const own = rows.filter((row) => row.temp > 1 && row.probe === `probe ${probe}`);
      const mean = own.reduce((sum, { temp }) => sum + temp, 0) / own.length;
      return { _id: `probe ${probe}`, mean: expect.closeTo(mean, 10) as number, n: own.length };
    });
    expect(await readings().aggregate(stages).toArray()).toEqual(expected);
    const sorted = readings().aggregate([{ $sort: { 'data.readings.n': -1 } }], { batchSize: 60 });
    expect(numbers(await sorted.toArray())).toEqual([1000, ...rows.map(({ n }) => n).reverse()]);
  });

  it('counts without a pipeline, and tells distinct values', async () => {
    expect(await readings().estimatedDocumentCount()).toBe(251);
    expect(await mongo.db().command({ count: 'readings', query: {}, skip: 250 })).toMatchObject({ n: 1 });
    expect(await readings().distinct('component_name')).toEqual(['scale', 'thermometer']);
    expect(await readings().distinct('data.readings.spots', { 'data.readings.n': { $lt: 99 } })).toEqual([
      0, 1, 50, 51,
    ]);
    expect(await readings().distinct('data.readings.note')).toEqual([null]);
    expect(await readings().distinct('data.readings.none')).toEqual([]);
  });

  it('lists what there is', async () => {
    expect(await mongo.db().admin().listDatabases()).toMatchObject({
      databases: [{ name: 'sensorData', empty: false }],
    });
    expect(await mongo.db().listCollections().toArray()).toMatchObject([{ name: 'readings', type: 'collection' }]);
    expect(await mongo.db().listCollections({ name: 'none' }, { nameOnly: true }).toArray()).toEqual([]);
    expect(await mongo.db('other').listCollections().toArray()).toEqual([]);
    expect(await readings().indexes()).toEqual([]);
  });

  it('gives the sinks of pipelines as collections, each organization its own', async () => {
    const { pipelines } = server.store;
    const names = { id: 'pipe', organizationId: 'a', name: 'hourly means' };
    const schedule = {
      stages: [],
      schedule: '0 * * * *',
      enabled: false,
      backfill: false,
      source: 'standard' as const,
    };
    await pipelines.create({ ...names, ...schedule, timeCreated: 0, timeUpdated: 0, timeEnabled: 0 });
    const run = { id: 'run', pipelineId: 'pipe', organizationId: 'a', leaseOwner: 'me', leaseUntil: 10 };
    const times = { window: { start: 0, end: 10 }, timeStarted: 0, timeEnded: null, dataSeenUntil: 0 };
    const claimed = { ...run, ...times, status: 'started' as const, errorMessage: '' };
    await pipelines.claim(claimed, { longestLease: 0, lostMessage: '', rerunOf: null, notAfter: null });
    const documents = [serialize({ mean: 1.5, at: new Date(start) })];
    await pipelines.complete(run, { timeEnded: 1, dataSeenUntil: 0, documents });
    const sink = mongo.db().collection('pipelines.hourly means');
    expect(await sink.find({ mean: { $gt: 1 } }).toArray()).toMatchObject([{ mean: 1.5, at: new Date(start) }]);
    expect((await mongo.db().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)).toEqual([
      'readings',
      'pipelines.hourly means',
    ]);
    const other = await clientOf(server.b);
    const foreign = other.db().collection('pipelines.hourly means').find().toArray();
    expect(await refusal(foreign)).toMatchObject({ code: 26, codeName: 'NamespaceNotFound' });
    await pipelines.delete('pipe');
  });

  it('shows an organization its own rows alone', async () => {
    const other = await clientOf(server.b);
    expect(numbers(await readings(other).find().toArray())).toEqual([-1]);
    expect(await readings(other).find({ organization_id: 'a' }).toArray()).toEqual([]);
    expect(await readings(other).countDocuments()).toBe(1);
    expect(await readings(other).distinct('organization_id')).toEqual(['b']);
    expect(
      await readings(other)
        .aggregate([{ $match: {} }, { $count: 'n' }])
        .toArray(),
    ).toEqual([{ n: 1 }]);
  });
});

describe('what is refused', () => {
  it.each<[string, (client: MongoClient) => Promise<unknown>, number, RegExp]>([
    ['insertOne', (client) => readings(client).insertOne({ n: 1 }), 13, /insert writes/],
    ['insertMany', (client) => readings(client).insertMany([{ n: 1 }, { n: 2 }]), 13, /insert writes/],
    ['updateOne', (client) => readings(client).updateOne({}, { $set: { n: 1 } }), 13, /update writes/],
    ['deleteMany', (client) => readings(client).deleteMany({}), 13, /delete writes/],
    ['findOneAndDelete', (client) => readings(client).findOneAndDelete({}), 13, /findAndModify writes/],
    ['createIndex', (client) => readings(client).createIndex({ n: 1 }), 13, /createIndexes writes/],
    ['drop', (client) => readings(client).drop(), 13, /drop writes/],
    ['dropDatabase', (client) => client.db().dropDatabase(), 13, /dropDatabase writes/],
    [
      '$out',
      (client) =>
        readings(client)
          .aggregate([{ $out: 'copy' }])
          .toArray(),
      13,
      /\$out writes/,
    ],
    [
      '$merge',
      (client) =>
        readings(client)
          .aggregate([{ $merge: 'copy' }])
          .toArray(),
      13,
      /\$merge writes/,
    ],
    [
      '$lookup',
      (client) =>
        readings(client)
          .aggregate([{ $lookup: { from: 'readings', as: 'x', pipeline: [] } }])
          .toArray(),
      2,
      /\$lookup is not allowed/,
    ],
    ['$where', (client) => readings(client).find({ $where: 'true' }).toArray(), 2, /\$where is not allowed/],
    [
      '$function',
      (client) =>
        readings(client)
          .find({ $expr: { $function: { body: 'function () {}', args: [], lang: 'js' } } })
          .toArray(),
      2,
      /\$function is not allowed/,
    ],
    [
      'an unknown operator',
      (client) =>
        readings(client)
          .find({ n: { $near: 1 } })
          .toArray(),
      2,
      /\$near/,
    ],
    ['explain', (client) => readings(client).find().explain(), 115, /explain/],
    ['a tailable cursor', (client) => readings(client).find({}, { tailable: true }).toArray(), 238, /tailable/],
    ['a collation', (client) => readings(client).find().collation({ locale: 'de' }).toArray(), 238, /collation/],
    ['another database', (client) => client.db('admin').collection('users').find().toArray(), 13, /only the database/],
    ['another collection', (client) => client.db().collection('none').find().toArray(), 26, /no collection none/],
    ['serverStatus', (client) => client.db().command({ serverStatus: 1 }), 13, /not allowed/],
    ['what there is not', (client) => client.db().command({ makeCoffee: 1 }), 59, /no such command: 'makeCoffee'/],
    ['a filter that is none', (client) => client.db().command({ find: 'readings', filter: 'all' }), 14, /filter/],
    ['a negative skip', (client) => client.db().command({ find: 'readings', skip: -1 }), 2, /skip is -1/],
  ])('%s', async (_, ask, code, message) => {
    const error = await refusal(ask(mongo));
    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
  });
});

describe('logging in', () => {
  it('is told how by the service', async () => {
    const { hostname, mongodbUri, hasDatabaseUser } = await server.a.data.getDatabaseConnection({
      organizationId: 'a',
    });
    expect({ hostname, hasDatabaseUser }).toEqual({ hostname: `127.0.0.1:${server.mongoPort}`, hasDatabaseUser: true });
    expect(mongodbUri).toBe(
      `mongodb://db-user-a@127.0.0.1:${server.mongoPort}/sensorData?authMechanism=SCRAM-SHA-256&authSource=admin&directConnection=true`,
    );
  });

  it('is needed, and tells who one is', async () => {
    const stranger = new MongoClient(`mongodb://127.0.0.1:${server.mongoPort}/sensorData`);
    onTestFinished(() => stranger.close());
    expect(await stranger.db().command({ ping: 1 })).toEqual({ ok: 1 });
    expect(await refusal(readings(stranger).findOne())).toMatchObject({ code: 13 });
    expect(await refusal(stranger.db().command({ listDatabases: 1 }))).toMatchObject({ code: 13 });
    expect((await stranger.db().command({ connectionStatus: 1 })).authInfo).toMatchObject({ authenticatedUsers: [] });
    expect((await mongo.db().command({ connectionStatus: 1 })).authInfo).toMatchObject({
      authenticatedUsers: [{ user: 'db-user-a', db: 'admin' }],
      authenticatedUserRoles: [{ role: 'read', db: 'sensorData' }],
    });
  });

  it.each([
    ['a wrong password', 'db-user-a', 'wrong horse'],
    ["another organization's password", 'db-user-none', password],
    ['a user who is none', 'root', password],
  ])('fails in the same words with %s', async (_, username, given) => {
    const client = await clientOf(server.a, { auth: { username, password: given } });
    expect(await refusal(client.connect())).toMatchObject({
      code: 18,
      codeName: 'AuthenticationFailed',
      message: 'Authentication failed.',
    });
  });

  it('ends with the password, at once and on every host that shares the store', async () => {
    const client = await clientOf(server.b);
    let closed = 0;
    client.on('connectionClosed', () => closed++);
    const { cursor } = await client.db().command({ find: 'readings', batchSize: 0 });
    await server.b.data.configureDatabaseUser({ organizationId: 'b', password: 'a new horse' });
    await expect.poll(() => closed).toBeGreaterThan(0);
    expect(await refusal(readings(client).findOne())).toMatchObject({ code: 18 });
    const renewed = await clientOf(server.b, { password: 'a new horse' });
    expect(await readings(renewed).countDocuments()).toBe(1);
    const getMore = { getMore: cursor.id, collection: 'readings' };
    expect(await refusal(renewed.db().command(getMore))).toMatchObject({ code: 43 });
    // changes the password in the store, as another host would
    await server.store.access.putDatabaseUser(await scramUser(webCryptoSecrets(crypto), 'b', password));
    expect(await refusal(readings(renewed).findOne())).toMatchObject({ code: 18 });
    expect(await readings(await clientOf(server.b)).countDocuments()).toBe(1);
  });

  it('takes passwords as drivers prepare them', async () => {
    const odd = 'a\u00a0b\u00adc Ⅸ å correct';
    await server.b.data.configureDatabaseUser({ organizationId: 'b', password: odd });
    expect(await readings(await clientOf(server.b, { password: odd })).countDocuments()).toBe(1);
    await server.b.data.configureDatabaseUser({ organizationId: 'b', password });
  });

  it('leaves no secrets in the log, and counts', async () => {
    await readings().findOne({ component_name: 'needle in the log' });
    for (const secret of [password, 'wrong horse', 'needle', 'SCRAM', 'thermometer'])
      expect(server.log()).not.toContain(secret);
    expect(server.log()).toContain('"operation":"mongo find"');
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toMatch(/sightglass_mongo_commands_total\{command="find",outcome="ok"\} \d/);
    expect(metrics).toMatch(/sightglass_mongo_connections [1-9]/);
    expect(metrics).toMatch(/sightglass_mongo_failed_logins_total [1-9]/);
  });
});

describe('a query without end', () => {
  it('ends with an error, while another client is answered', async () => {
    const stuck = refusal(readings().aggregate([patternOfDoom], { maxTimeMS: 2000 }).toArray());
    const other = await clientOf(server.b);
    expect(await readings(other).countDocuments()).toBe(1);
    expect(await stuck).toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
    expect(await readings().countDocuments()).toBe(251);
  });

  it('ends with its client', async () => {
    const leaving = await driver(server.a);
    // as many as there are workers, so that other queries must wait for them
    const stuck = [1, 2].map(() => readings(leaving).aggregate([patternOfDoom]).toArray());
    const outcomes = Promise.allSettled(stuck);
    await expect.poll(() => running(server)).toBe(2);
    await leaving.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await readings().countDocuments({}, { maxTimeMS: 10_000 })).toBe(251);
  });
});

it('speaks TLS where the server does', async () => {
  const certificate = await makeCertificate();
  const secure = await serveMongo({ tls: certificate });
  onTestFinished(secure.close);
  await secure.a.upload('thermometer', start, [{ n: 1 }]);
  const ca = certificate.cert.toString();
  const { mongodbUri } = await secure.a.data.getDatabaseConnection({ organizationId: 'a' });
  expect(mongodbUri).toContain('tls=true');
  expect(
    numbers(
      await readings(await clientOf(secure.a, { ca }))
        .find()
        .toArray(),
    ),
  ).toEqual([1]);
  const plain = new MongoClient(`mongodb://127.0.0.1:${secure.mongoPort}`, { serverSelectionTimeoutMS: 500 });
  onTestFinished(() => plain.close());
  await expect(plain.connect()).rejects.toThrow();
});

it('refuses whoever guesses passwords, and nobody else', async () => {
  const limited = await serveMongo({ limits: { authenticateBurst: 2, authenticatePerMinute: 1 } });
  onTestFinished(limited.close);
  const admitted = await clientOf(limited.a, { maxPoolSize: 1 });
  await admitted.connect();
  for (const guess of ['first guess', 'other guess']) {
    const wrong = await clientOf(limited.a, { password: guess });
    expect(await refusal(wrong.connect())).toMatchObject({ message: 'Authentication failed.' });
  }
  const late = await clientOf(limited.a);
  expect((await refusal(late.connect())).message).toMatch(/Too many failed attempts/);
  expect(await readings(admitted).countDocuments()).toBe(0);
});

it('lets running queries end when the server stops', async () => {
  const stopping = await serveMongo();
  await stopping.a.upload('thermometer', start, [{ n: 1 }]);
  const client = await clientOf(stopping.a);
  await client.connect();
  const slow = refusal(readings(client).aggregate([patternOfDoom], { maxTimeMS: 1500 }).toArray());
  await expect.poll(() => running(stopping)).toBe(1);
  await stopping.close();
  expect(await slow).toMatchObject({ code: 50 });
});
