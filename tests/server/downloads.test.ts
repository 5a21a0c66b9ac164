import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveForTest } from '../../src/server/test-server.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { uploadPicture } from '../data-service-fixture.ts';
import { sameBytes, someBytes } from '../clients/home.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import type { ServiceClients } from '../clients/operation-scenarios.ts';
import { readmeColumn } from '../clients/readme-column.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';

const record = new OperationRecord();
const content = someBytes(300_000);
let server: SightglassServer;
let clients: ServiceClients;
let bearer: string;
let binaryDataId: string;
let uri: string;

beforeAll(async () => {
  server = await serveSightglass();
  clients = await login(
    server,
    (authorization) => {
      bearer = authorization ?? '';
      return createGrpcWebTransport({ baseUrl: server.origin, interceptors: [authorizing(authorization)] });
    },
    new OperationRecord(),
  );
  const { partId } = server;
  ({ binaryDataId } = await clients.sync.dataCaptureUpload({
    metadata: { partId, type: DataType.BINARY_SENSOR, fileExtension: '.mp4', fileName: 'walk ä.mp4' },
    sensorContents: [{ data: { case: 'binary', value: content } }],
  }));
  const { data } = await clients.data.binaryDataByIDs({ binaryDataIds: [binaryDataId] });
  uri = data[0]!.metadata!.uri;
});
afterAll(() => server.close());

const scenario = (operation: string, run: () => Promise<unknown>) =>
  it(`fetches by ${operation}`, () =>
    record.during(async () => {
      await run();
      record.note(operation);
    }));
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
const sign = async (expirationMinutes = 0) =>
  (await clients.data.createBinaryDataSignedURL({ binaryDataId, expirationMinutes })).signedUrl;

scenario('uri with Bearer', async () => {
  const answer = await fetch(uri, { headers: { authorization: bearer } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  expect(sameBytes(await bytesOf(answer), content)).toBe(true);
  expect((await fetch(uri)).status).toBe(401);
  expect((await fetch(uri, { headers: { authorization: `${bearer}x` } })).status).toBe(401);
  expect((await fetch(`${uri}x`, { headers: { authorization: bearer } })).status).toBe(404);
});

scenario('uri with key_id and key', async () => {
  const { keyId, key } = server;
  const answer = await fetch(uri, { headers: { key_id: keyId, key } });
  expect(sameBytes(await bytesOf(answer), content)).toBe(true);
  expect((await fetch(uri, { headers: { key_id: keyId, key: `${key}x` } })).status).toBe(401);
  expect((await fetch(uri, { headers: { key_id: keyId } })).status).toBe(401);
});

scenario('signed URL', async () => {
  const signed = await sign();
  expect(sameBytes(await bytesOf(await fetch(signed)), content)).toBe(true);
  const head = await fetch(signed, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)]);
  // Change each part of the path and query: the file, the expiry, the signature.
  const { origin } = new URL(signed);
  for (let at = origin.length + '/data/signed/'.length; at < signed.length; at++) {
    const other = signed[at] === '0' ? '1' : '0';
    expect([at, (await fetch(signed.slice(0, at) + other + signed.slice(at + 1))).status]).toEqual([at, 403]);
  }
});

scenario('byte range', async () => {
  const signed = await sign();
  const part = await fetch(signed, { headers: { range: 'bytes=1000-1999' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${content.length}`]);
  expect(sameBytes(await bytesOf(part), content.slice(1000, 2000))).toBe(true);
  const last = await fetch(uri, { headers: { authorization: bearer, range: 'bytes=-5' } });
  expect(sameBytes(await bytesOf(last), content.slice(-5))).toBe(true);
  expect((await fetch(signed, { headers: { range: `bytes=${content.length}-` } })).status).toBe(416);
});

it('is told when a signed URL has expired', async () => {
  const { service, origin } = await serveForTest();
  const { signedUrl } = await service.owner.data.createBinaryDataSignedURL({
    binaryDataId: await uploadPicture(service.owner),
  });
  const local = signedUrl.replace(new URL(signedUrl).origin, origin);
  expect((await fetch(local)).status).toBe(200);
  service.time.now += 16 * 60 * 1e6;
  expect((await fetch(local)).status).toBe(410);
});

it('is told that deleted data is gone, signed or not', async () => {
  const signed = await sign(10_080);
  await clients.data.deleteBinaryDataByIDs({ binaryDataIds: [binaryDataId] });
  expect((await fetch(signed)).status).toBe(404);
  expect((await fetch(uri, { headers: { authorization: bearer } })).status).toBe(404);
});

it('is what the README says', () => {
  expect(readmeColumn('Server: fetch', record.marks)).toEqual(record.marks);
});
