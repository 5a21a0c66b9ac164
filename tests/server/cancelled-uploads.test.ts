import { once } from 'node:events';
import { connect as connectHttp2, constants, type ClientHttp2Stream } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { DataType, FileUploadRequestSchema } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { serveForTest } from '../../src/server/test-server.ts';
import { acknowledged, connectFrames, endHeaders, endStream, frameTypes, literalHeaders } from './http2-frames.ts';
import { temporaryFolder } from './server-process.ts';

const clock = { now: () => Date.now() * 1000 };

function packet(uploadPacket: object): Buffer {
  const message = toBinary(FileUploadRequestSchema, create(FileUploadRequestSchema, { uploadPacket } as never));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

const metadataPacket = packet({
  case: 'metadata',
  value: { partId: 'lab-part', type: DataType.FILE, fileName: 'half.mp4' },
});
const chunkPacket = packet({ case: 'fileContents', value: { data: new Uint8Array(10_000) } });

async function start() {
  const store = await openSqliteDataStore(await temporaryFolder(), clock);
  onTestFinished(() => store.close());
  const server = await serveForTest({ service: { store } });
  const { id, secret } = server.service.keys.owner;
  const credentials = { type: 'api-key', payload: secret };
  const { accessToken } = await server.service.anonymous.auth.authenticate({ entity: id, credentials });
  const session = connectHttp2(server.origin);
  onTestFinished(() => session.destroy());
  const headers = {
    ':method': 'POST',
    ':path': '/viam.app.datasync.v1.DataSyncService/FileUpload',
    'content-type': 'application/grpc',
    authorization: `Bearer ${accessToken}`,
  };
  const begin = (): ClientHttp2Stream => {
    const stream = session.request(headers);
    stream.on('error', () => undefined);
    stream.resume();
    stream.write(metadataPacket);
    return stream;
  };
  const ping = (): Promise<void> => new Promise((resolve) => void session.ping(() => resolve()));
  const stored = async () => (await server.service.owner.data.binaryDataByFilter({ countOnly: true })).count;
  const blobs = async (): Promise<number> => {
    let count = 0;
    for await (const _ of store.blobs.list()) count++;
    return count;
  };
  const answered = () => server.log().split('DataSyncService/FileUpload').length - 1;
  return { server, headers, begin, ping, stored, blobs, answered };
}

// When Node cancels a stream, it sends the end of the stream before the reset, so half a file can look complete to the server.
it.each([0, 1, 20])('stores nothing of an upload that is cancelled after %i chunks', async (chunks) => {
  const { begin, ping, stored, blobs, answered } = await start();
  for (let times = 0; times < 10; times++) {
    const stream = begin();
    for (let n = 0; n < chunks; n++) {
      stream.write(packet({ case: 'fileContents', value: { data: new Uint8Array(10_000).fill(n) } }));
    }
    for (let round = 0; round < times % 3; round++) await ping();
    stream.close(constants.NGHTTP2_CANCEL);
    await once(stream, 'close');
  }
  await expect.poll(answered).toBe(10);
  await expect.poll(blobs).toBe(0); // the partial blob is removed
  expect(await stored()).toBe(0n);
});

it('stores nothing of an upload whose reset comes long after its end', async () => {
  const { server, headers, stored, blobs, answered } = await start();
  const client = connectFrames(server.port, (type, flags, payload) => {
    if (type === frameTypes.settings && flags === 0) client.send(frameTypes.settings, { flags: acknowledged });
    if (type !== frameTypes.ping || flags === acknowledged) return;
    client.send(frameTypes.reset, { stream: 1, payload: Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL]) });
    client.send(frameTypes.ping, { flags: acknowledged, payload });
  });
  const request = { ':scheme': 'http', ':authority': '127.0.0.1', ...headers };
  client.send(frameTypes.headers, { stream: 1, flags: endHeaders, payload: literalHeaders(request) });
  client.send(frameTypes.data, { stream: 1, payload: metadataPacket });
  client.send(frameTypes.data, { stream: 1, payload: chunkPacket });
  client.send(frameTypes.data, { stream: 1, flags: endStream });
  await expect.poll(answered).toBe(1);
  await expect.poll(blobs).toBe(0);
  expect(await stored()).toBe(0n);
});

it('stores a file whose client has closed its half and waits', async () => {
  const { begin, stored } = await start();
  const stream = begin();
  stream.end(chunkPacket);
  await once(stream, 'close');
  expect(await stored()).toBe(1n);
});
