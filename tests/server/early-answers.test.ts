import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect, it } from 'vitest';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { serveForTest, type TestServer } from '../../src/server/test-server.ts';
import { codeOf } from '../data-service-fixture.ts';

const transports = {
  'gRPC over HTTP/2': createGrpcTransport,
  'gRPC-Web over HTTP/1.1': (options: { baseUrl: string; interceptors: [] }) =>
    createGrpcWebTransport({ ...options, httpVersion: '1.1' }),
};

async function uploader(server: TestServer, protocol: keyof typeof transports) {
  const { id, secret } = server.service.keys.owner;
  const credentials = { type: 'api-key', payload: secret };
  const { accessToken } = await server.service.anonymous.auth.authenticate({ entity: id, credentials });
  const { fileUpload } = createClient(
    DataSyncService,
    transports[protocol]({ baseUrl: server.origin, interceptors: [] }),
  );
  return (uploadId: string, packets: AsyncIterable<ReturnType<typeof packet>>) =>
    fileUpload(packets, { headers: { authorization: `Bearer ${accessToken}`, 'x-upload-id': uploadId } });
}

const packet = (uploadPacket: object) => ({ uploadPacket }) as { uploadPacket: never };

/** The messages of a file of `chunks` × 64 KiB. `drawn` counts the chunks that the transport has read. */
async function* file(chunks: number, drawn = { count: 0 }, partId = 'lab-part') {
  yield packet({ case: 'metadata', value: { partId, type: DataType.FILE, fileName: 'clip.mp4' } });
  for (; drawn.count < chunks; drawn.count++) {
    yield packet({ case: 'fileContents', value: { data: new Uint8Array(65_536) } });
  }
}

it.each(Object.keys(transports) as (keyof typeof transports)[])(
  'answers before the whole file is read, and the connection stays usable, by %s',
  async (protocol) => {
    const server = await serveForTest({ limits: { shutdownGraceMs: 60_000, maxStreamsPerConnection: 20 } });
    const upload = await uploader(server, protocol);
    const { binaryDataId } = await upload('once', file(2));
    for (let times = 0; times < 30; times++) {
      expect((await upload('once', file(3))).binaryDataId).toBe(binaryDataId);
      expect(await codeOf(upload(`none-${times}`, file(3, undefined, 'no-part')))).toBe('InvalidArgument');
    }
    await server.close(); // resolves only if no request is left open
    expect(server.log()).not.toContain('"level":"error"');
  },
);

it('does not draw a large file that it has already', async () => {
  const server = await serveForTest();
  const upload = await uploader(server, 'gRPC over HTTP/2');
  const { binaryDataId } = await upload('once', file(1));
  const drawn = { count: 0 };
  expect((await upload('once', file(16_000, drawn))).binaryDataId).toBe(binaryDataId);
  expect(drawn.count).toBeLessThan(8_000);
});
