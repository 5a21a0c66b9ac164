import { serialize, setInternalBufferSize, type Document } from 'bson';
import { describe, expect, it } from 'vitest';
import { startTime, uploadReading } from '../../../tests/data-service-fixture.ts';
import { refusedRows } from '../../../tests/refused-rows.ts';
import { encodeMessage, encodeRequest, RawClient } from './test-client.ts';
import { findAll, logInTo, serveMongo } from './test-endpoint.ts';

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
    client.socket.write(query(findAll));
    expect(await client.answer()).toMatchObject({ ok: 0, code: 352 });
    client.socket.destroy();
  });
});

describe('a client', () => {
  it('that has a wrong password is told to the organization, once a minute', async () => {
    const rowsNow = refusedRows();
    const server = await serveMongo();
    const client = new RawClient(server.mongoPort);
    await expect(client.logIn('db-user-a', 'wrong')).rejects.toThrow();
    expect(await rowsNow(server)).toEqual([['database-user', 'db-user-a', '127.0.0.1', 1]]);
  });

  it('may send commands at once, and leave out the answers it does not want', async () => {
    const server = await serveMongo();
    const client = await logInTo(server);
    const silent = encodeRequest(2, { insert: 'readings', $db: 'sensorData' }, 1 << 1);
    const count = encodeRequest(3, { count: 'readings', $db: 'sensorData' });
    client.socket.write(Buffer.concat([encodeRequest(1, findAll), silent, count]));
    expect(await client.answer()).toMatchObject({ cursor: { firstBatch: [{ data: { readings: { kg: 1 } } }] } });
    expect(await client.answer()).toMatchObject({ n: 1, ok: 1 });
    client.socket.destroy();
  });

  it('sees nothing any more after it logged out', async () => {
    const server = await serveMongo();
    const client = await logInTo(server);
    expect(await client.ask({ logout: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
    expect(await client.ask(findAll)).toMatchObject({ ok: 0, code: 13 });
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
    const { owner } = server.service;
    for (let n = 0; n < 8; n++) await uploadReading(owner, { long: 'x'.repeat(2 ** 20) }, startTime + n);
    const client = await logInTo(server);
    client.socket.pause();
    const asked = Buffer.concat(Array.from({ length: 10 }, (_, id) => encodeRequest(id, findAll)));
    client.socket.write(asked);
    await expect.poll(() => server.log(), { timeout: 20_000 }).toContain('"reason":"stalled"');
    client.socket.destroy();
  });

  it('finds a place though strangers crowd in', async () => {
    const server = await serveMongo({ maxConnections: 6 });
    const crowd = Array.from({ length: 3 }, () => new RawClient(server.mongoPort));
    for (const one of crowd) await one.ask({ ping: 1, $db: 'admin' });
    const client = await logInTo(server);
    await crowd[0]!.closed;
    expect(await client.ask(findAll)).toMatchObject({ ok: 1 });
    expect(await crowd[2]!.ask({ ping: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
    for (const { socket } of [...crowd, client]) socket.destroy();
  });
});

it.each<[string, object, number]>([
  ['with a field that bson keeps for itself', { ...findAll, filter: { _bsontype: 'Long' } }, 2],
  ['nested without end', { ...findAll, filter: nested(3000) }, 2],
  ['larger than a document may be', { ...findAll, filter: { text: 'x'.repeat(17 * 2 ** 20) } }, 10334],
])('a query %s is refused', async (_, command, code) => {
  const server = await serveMongo();
  const client = await logInTo(server);
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
