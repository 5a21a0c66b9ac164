import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  BinaryDataByFilterRequestSchema,
  BinaryDataByFilterResponseSchema,
  DataService,
} from '../../gen/app/data/v1/data_pb.ts';
import { codeOf, uploadPicture } from '../../../tests/data-service-fixture.ts';
import { logIn, serveForTest, type TestServer } from '../test-server.ts';

const mebibyte = 2 ** 20;
// RFC 9113, section 7
const cancelCode = 8;

type MakeTransport = (baseUrl: string, packing: object) => Transport;
const transports: readonly [string, MakeTransport][] = [
  ['gRPC', (baseUrl, packing) => createGrpcTransport({ baseUrl, ...packing })],
  ['gRPC in JSON', (baseUrl, packing) => createGrpcTransport({ baseUrl, useBinaryFormat: false, ...packing })],
  ['gRPC-Web', (baseUrl, packing) => createGrpcWebTransport({ baseUrl, httpVersion: '1.1', ...packing })],
  ['gRPC-Web over HTTP/2', (baseUrl, packing) => createGrpcWebTransport({ baseUrl, httpVersion: '2', ...packing })],
  ['Connect', (baseUrl, packing) => createConnectTransport({ baseUrl, httpVersion: '1.1', ...packing })],
  [
    'Connect in JSON',
    (baseUrl, packing) => createConnectTransport({ baseUrl, httpVersion: '2', useBinaryFormat: false, ...packing }),
  ],
];

/** Counts how many blobs of a store are open, and how many bytes of them were read. */
function watchBlobs({ service }: TestServer) {
  const { blobs } = service.dependencies.store;
  const open = blobs.open.bind(blobs);
  const watched = { open: 0, readBytes: 0 };
  blobs.open = async (address) => {
    const blob = await open(address);
    if (blob === null) return null;
    watched.open++;
    let isOpen = true;
    return {
      ...blob,
      async read(range) {
        watched.readBytes += range.end - range.start;
        return blob.read(range);
      },
      async close() {
        if (isOpen) watched.open--;
        isOpen = false;
        await blob.close();
      },
    };
  };
  return watched;
}

const byFilter = '/viam.app.data.v1.DataService/BinaryDataByFilter';
const askPage = toBinary(
  BinaryDataByFilterRequestSchema,
  create(BinaryDataByFilterRequestSchema, { includeBinary: true, dataRequest: { limit: 100n } }),
);

function http2Client(origin: string): ClientHttp2Session {
  const session = connect(origin);
  onTestFinished(() => session.destroy());
  return session;
}

/** A page that its client asks for and takes nothing of. */
async function askSlowly(session: ClientHttp2Session, headers: object): Promise<ClientHttp2Stream> {
  const stream = session.request({
    ':method': 'POST',
    ':path': byFilter,
    'content-type': 'application/proto',
    ...headers,
  });
  stream.end(askPage);
  await once(stream, 'response');
  return stream;
}

async function take(stream: ClientHttp2Stream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe.each(transports)('a page with files by %s', (_, makeTransport) => {
  it.each([
    ['', {}],
    [', whose client takes it compressed', { acceptCompression: [compressionGzip], compressMinBytes: 0 }],
  ])('has their bytes%s', async (_compressed, packing) => {
    const server = await serveForTest();
    const watched = watchBlobs(server);
    const contents = ['', 'a', 'ab', 'abc', 'x'.repeat(500_001)];
    const ids: string[] = [];
    for (const [n, content] of contents.entries()) {
      ids.push(await uploadPicture(server.service.owner, {}, server.service.dependencies.clock.now() + n, content));
    }
    const headers = await logIn(server);
    const data = createClient(DataService, makeTransport(server.origin, packing));
    const page = await data.binaryDataByFilter({ includeBinary: true, dataRequest: { sortOrder: 1 } }, { headers });
    const textOf = ({ binary }: { binary: Uint8Array }) => Buffer.from(binary).toString();
    expect(page.data.map(textOf).sort()).toEqual([...contents].sort());
    expect([page.count, page.totalSizeBytes]).toEqual([5n, 500_007n]);
    const asked = [ids[4]!, ids[0]!, ids[2]!, ids[4]!];
    const none = { filter: { componentName: 'none' } };
    expect(await data.binaryDataByFilter({ includeBinary: true, dataRequest: none }, { headers })).toMatchObject({
      data: [],
      count: 0n,
      last: '',
    });
    const byIds = await data.binaryDataByIDs({ binaryDataIds: asked, includeBinary: true }, { headers });
    expect(byIds.data.map(textOf)).toEqual([contents[4], '', 'ab', contents[4]]);
    expect(byIds.data.map(({ metadata }) => metadata!.binaryDataId)).toEqual(asked);
    const missing = data.binaryDataByIDs({ binaryDataIds: [ids[1]!, `${ids[1]!}x`], includeBinary: true }, { headers });
    expect(await codeOf(missing)).toBe('NotFound');
    expect(server.service.defects).toEqual([]);
    await vi.waitUntil(() => watched.open === 0);
  });
});

describe('clients that take nothing of their pages', () => {
  it('make the server hold little of each, and nobody else wait', async () => {
    const server = await serveForTest();
    for (let n = 0; n < 5; n++) await uploadPicture(server.service.owner, {}, 1e15 + n, 'y'.repeat(4 * mebibyte));
    const headers = await logIn(server);
    const watched = watchBlobs(server);
    const session = http2Client(server.origin);
    const slow = await Promise.all(Array.from({ length: 20 }, () => askSlowly(session, headers)));
    const before = watched.readBytes;

    const other = await take(await askSlowly(http2Client(server.origin), headers));
    expect(fromBinary(BinaryDataByFilterResponseSchema, other).data).toHaveLength(5);
    const ofSlow = watched.readBytes - 20 * mebibyte;
    expect(before).toBeGreaterThan(0);
    expect(ofSlow).toBeLessThanOrEqual(20 * 512 * 1024);
    expect(watched.open).toBe(20 * 5);

    expect(Buffer.from(await take(slow[0]!)).equals(other)).toBe(true);
    session.destroy();
    await vi.waitUntil(() => watched.open === 0);
    expect(server.service.defects).toEqual([]);
  });
});

it.each(['1.1', '2'])('a client that leaves in the middle of its page, by HTTP/%s, is no failure', async (version) => {
  const server = await serveForTest();
  const watched = watchBlobs(server);
  await uploadPicture(server.service.owner, {}, 1e15, 'v'.repeat(16 * mebibyte));
  const headers = await logIn(server);
  if (version === '2') (await askSlowly(http2Client(server.origin), headers)).close(cancelCode);
  else {
    const asked = request(server.origin + byFilter, {
      method: 'POST',
      headers: { 'content-type': 'application/proto', ...headers },
    });
    const [answer] = (await once(asked.end(askPage), 'response')) as [IncomingMessage];
    answer.on('error', () => undefined); // the answer is cut off
    asked.destroy();
  }
  await vi.waitUntil(() => server.log().includes('CANCELLED'));
  await vi.waitUntil(() => watched.open === 0);
  expect(server.log()).not.toContain('a request failed');
  expect(server.service.defects).toEqual([]);
});

it('a page keeps the files that are deleted while it is sent', async () => {
  const server = await serveForTest();
  const { owner } = server.service;
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await uploadPicture(owner, {}, 1e15 + n, `${n}`.repeat(mebibyte)));
  const stream = await askSlowly(http2Client(server.origin), await logIn(server));
  await owner.data.deleteBinaryDataByIDs({ binaryDataIds: ids });
  const { data } = fromBinary(BinaryDataByFilterResponseSchema, await take(stream));
  expect(data.map(({ binary }) => [binary[0]! - 48, binary.length])).toEqual([2, 1, 0].map((n) => [n, mebibyte]));
});

it('a page whose files cannot be read to their end is cut off, not ended', async () => {
  const server = await serveForTest();
  await uploadPicture(server.service.owner, {}, 1e15, 'z'.repeat(2 * mebibyte));
  const { blobs } = server.service.dependencies.store;
  const open = blobs.open.bind(blobs);
  blobs.open = async (address) => ({
    ...(await open(address))!,
    read: ({ start, end }) =>
      start > 0 ? Promise.reject(new Error('a bad block')) : Promise.resolve(new Uint8Array(end)),
  });
  const stream = await askSlowly(http2Client(server.origin), await logIn(server));
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(stream, 'close');
  expect(stream.rstCode).not.toBe(0);
  expect(bytes).toBeLessThan(2 * mebibyte);
  expect(server.log()).toContain('a bad block');
});

it('a file of another size than its row says is damage: told where it is asked for, and left out of a page', async () => {
  const server = await serveForTest();
  const id = await uploadPicture(server.service.owner, {}, 1e15, 'abc');
  const { blobs } = server.service.dependencies.store;
  const open = blobs.open.bind(blobs);
  blobs.open = async (address) => ({ ...(await open(address))!, sizeBytes: 2 });
  const data = createClient(DataService, createGrpcTransport({ baseUrl: server.origin }));
  const headers = await logIn(server);
  const asked = data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true }, { headers });
  expect(await codeOf(asked)).toBe('DataLoss');
  const page = await data.binaryDataByFilter({ includeBinary: true }, { headers });
  expect(page.data.map(({ binary, metadata }) => [metadata!.binaryDataId, binary.length])).toEqual([[id, 0]]);
});

it('downloads that nobody takes leave room for those of others', async () => {
  const server = await serveForTest({ metricsPort: 0, trustedProxies: { hops: 1 } });
  const id = await uploadPicture(server.service.owner, {}, 1e15, 'w'.repeat(2 * mebibyte));
  const headers = await logIn(server);
  const watched = watchBlobs(server);
  const session = http2Client(server.origin);
  const ask = (address: string) =>
    session.request({ ':path': `/data/files/${id}`, ...headers, 'x-forwarded-for': address }).end();
  const slow = Array.from({ length: 99 }, () => ask('192.0.2.1'));
  const waiting = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
    return Number(/^sightglass_queue_length\{queue="answers_with_files"\} (\d+)$/m.exec(text)![1]);
  };
  await vi.waitUntil(async () => (await waiting()) === 3, { timeout: 20_000 });
  expect(watched.readBytes).toBeLessThanOrEqual(96 * mebibyte);
  expect((await take(ask('192.0.2.2'))).length).toBe(2 * mebibyte);
  expect(await waiting()).toBe(3);
  for (const stream of slow.slice(0, 3)) stream.close(cancelCode);
  await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 20_000 });
});
