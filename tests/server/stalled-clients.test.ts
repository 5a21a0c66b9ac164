import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DataType, FileUploadRequestSchema } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import type { ServerLimits } from '../../src/server/limits/server-limits.ts';
import { serveForTest, type TestServer } from '../../src/server/test-server.ts';
import { uploadPicture } from '../data-service-fixture.ts';

const limits: Partial<ServerLimits> = { headersTimeoutMs: 200, stallTimeoutMs: 200, idleTimeoutMs: 60_000 };
const largeText = 'x'.repeat(20_000_000);

async function tokenOf({ service }: TestServer): Promise<string> {
  const { id, secret } = service.keys.owner;
  const credentials = { type: 'api-key', payload: secret };
  return `Bearer ${(await service.anonymous.auth.authenticate({ entity: id, credentials })).accessToken}`;
}

function openSession({ origin }: TestServer): ClientHttp2Session {
  const session = connectHttp2(origin);
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

/** Sends small requests repeatedly until it is stopped. */
function keepBusy(session: ClientHttp2Session): { readonly stop: () => Promise<number> } {
  let [stopped, answers] = [false, 0];
  const asking = (async () => {
    while (!stopped) {
      const stream = session.request({ ':path': '/healthz' });
      stream.resume();
      await once(stream, 'close');
      answers++;
    }
  })();
  return {
    async stop() {
      stopped = true;
      await asking;
      return answers;
    },
  };
}

describe('on a busy HTTP/2 connection', () => {
  it('a silent upload is cut off, and the others go on', async () => {
    const server = await serveForTest({ limits });
    const session = openSession(server);
    const upload = session.request({
      ':method': 'POST',
      ':path': '/viam.app.datasync.v1.DataSyncService/FileUpload',
      'content-type': 'application/grpc',
      authorization: await tokenOf(server),
    });
    upload.on('error', () => undefined);
    const value = { partId: 'lab-part', type: DataType.FILE, fileName: 'a.txt' };
    const packet = { uploadPacket: { case: 'metadata' as const, value } };
    const message = toBinary(FileUploadRequestSchema, create(FileUploadRequestSchema, packet));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    upload.write(Buffer.concat([head, message]));
    const busy = keepBusy(session);
    await once(upload, 'close');
    expect(upload.rstCode).toBe(constants.NGHTTP2_CANCEL);
    expect(await busy.stop()).toBeGreaterThan(0);
    expect(session.closed).toBe(false);
    expect((await server.service.owner.data.binaryDataByFilter({ countOnly: true })).count).toBe(0n);
  });

  it('an answer that nobody reads is cut off, and the others go on', async () => {
    const server = await serveForTest({ limits });
    const id = await uploadPicture(server.service.owner, {}, undefined, largeText);
    const session = openSession(server);
    const download = session.request({ ':path': `/data/files/${id}`, authorization: await tokenOf(server) });
    download.on('error', () => undefined);
    await once(download, 'response'); // from here on the client reads nothing
    const busy = keepBusy(session);
    await once(download, 'close');
    expect(download.rstCode).toBe(constants.NGHTTP2_CANCEL);
    expect(await busy.stop()).toBeGreaterThan(0);
    expect(session.closed).toBe(false);
  });

  it('a slow reader of a large message is left alone', async () => {
    const server = await serveForTest({ limits });
    const id = await uploadPicture(server.service.owner, {}, undefined, largeText.slice(0, 4_000_000));
    const session = openSession(server);
    const request = JSON.stringify({ binaryDataIds: [id], includeBinary: true });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/viam.app.data.v1.DataService/BinaryDataByIDs',
      'content-type': 'application/json',
      authorization: await tokenOf(server),
    });
    stream.end(request);
    // Wait for a round trip before many steps, so that the transfer lasts for several checks of the server.
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length;
      if (bytes % 8 === 0) await new Promise((resolve) => session.ping(resolve));
    }
    expect(bytes).toBeGreaterThan(4_000_000);
  });
});

describe('a client of HTTP/1.1', () => {
  const opened = (server: TestServer, sent: string): Socket => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write(sent);
    return socket;
  };

  /** The server's answer before it closes the connection; a reset may precede the end. */
  async function told(socket: Socket): Promise<string> {
    const said: Buffer[] = [];
    socket.on('data', (bytes) => said.push(bytes));
    await new Promise((resolve) => socket.once('close', resolve));
    return Buffer.concat(said).toString('latin1');
  }

  it('that never reads its answer is cut off', async () => {
    const server = await serveForTest({ limits });
    const id = await uploadPicture(server.service.owner, {}, undefined, largeText);
    const token = await tokenOf(server);
    const socket = opened(server, `GET /data/files/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: ${token}\r\n\r\n`);
    socket.pause();
    await expect.poll(() => server.log(), { timeout: 10_000 }).toContain('"operation":"download"');
    expect(await metric(server, 'sightglass_requests_stalled_total')).toBe(1);
  });

  it('that takes a file of the app too slowly is cut off, and one that takes it faster is not', async () => {
    const appFolder = await mkdtemp(join(tmpdir(), 'sightglass-app-'));
    onTestFinished(() => rm(appFolder, { recursive: true }));
    await writeFile(join(appFolder, 'index.html'), largeText);
    const asked = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const slowly = { ...limits, minAppBytesPerSecond: 20_000_000 };
    const server = await serveForTest({ limits: slowly, appFolder });
    const slow = opened(server, asked);
    slow.pause();
    const drip = setInterval(() => slow.read(64 * 1024), 20); // steadily, some 3 MB a second
    onTestFinished(() => clearInterval(drip));
    await once(slow, 'close');
    await expect.poll(() => metric(server, 'sightglass_requests_stalled_total')).toBe(1);
    const patient = await serveForTest({ limits: { ...limits, minAppBytesPerSecond: 1 }, appFolder });
    expect((await told(opened(patient, asked))).length).toBeGreaterThan(largeText.length);
    expect(await metric(patient, 'sightglass_requests_stalled_total')).toBe(0);
  });

  it('that drips its headers is cut off', async () => {
    const server = await serveForTest({ limits });
    const socket = opened(server, 'GET / HTTP/1.1\r\nHost: a\r\n');
    const drip = setInterval(() => socket.write('X: y\r\n'), 20);
    expect(await told(socket)).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  it('that drips the rest of a request which was refused is cut off', async () => {
    const server = await serveForTest({ limits: { ...limits, minBytesPerSecond: 1000 } });
    const path = '/viam.app.datasync.v1.DataSyncService/FileUpload';
    const head = 'Host: a\r\nContent-Type: application/grpc-web\r\nTransfer-Encoding: chunked\r\n';
    const socket = opened(server, `POST ${path} HTTP/1.1\r\n${head}\r\n`);
    const drip = setInterval(() => socket.write('1\r\n\0\r\n'), 150);
    expect(await told(socket)).toContain('grpc-status');
    clearInterval(drip);
    expect(await metric(server, 'sightglass_requests_stalled_total')).toBe(1);
  });

  const slowBody = (path: string, header = ''): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\n${header}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
  const authenticate = '/proto.rpc.v1.AuthService/Authenticate';
  const dripping = (socket: Socket): void => {
    const drip = setInterval(() => socket.write(' '), 20);
    socket.once('close', () => clearInterval(drip));
  };

  it.each([authenticate, '/viam.app.data.v1.DataService/BinaryDataByFilter'])(
    'without a key that sends its message to %s steadily, and too long, is cut off',
    async (path) => {
      const server = await serveForTest({ limits: { ...limits, minBytesPerSecond: 1, keylessTimeoutMs: 500 } });
      const socket = opened(server, slowBody(path));
      dripping(socket);
      await told(socket);
      expect(await metric(server, 'sightglass_requests_stalled_total')).toBe(1);
    },
  );

  it('with a key may send its message as long as it takes', async () => {
    const keylessTimeoutMs = 3000; // within which a busy server, too, has verified the token
    const server = await serveForTest({ limits: { ...limits, minBytesPerSecond: 1, keylessTimeoutMs } });
    const path = '/viam.app.data.v1.DataService/BinaryDataByFilter';
    const socket = opened(server, slowBody(path, `Authorization: ${await tokenOf(server)}\r\n`));
    dripping(socket);
    // a request without a key that started later is closed before
    const without = opened(server, slowBody(path));
    await told(without);
    expect(socket.destroyed).toBe(false);
  });

  it('without a key has nothing begun for it before its message is whole', async () => {
    const server = await serveForTest();
    const head = `POST ${authenticate} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\n`;
    const socket = opened(server, `${head}Content-Length: 4\r\n\r\nab`);
    const answer = told(socket);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(server.log()).not.toContain('"status":415');
    socket.write('cd');
    expect(await answer).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('of many addresses that take every place with slow messages refuses nobody', async () => {
    const server = await serveForTest({ limits: { ...limits, stallTimeoutMs: 60_000, maxConnections: 20 } });
    const flood = Array.from({ length: 25 }, (_, n) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 5)}` });
      socket.on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      socket.write(slowBody(authenticate));
      return socket;
    });
    await Promise.all(flood.map((socket) => once(socket, 'connect')));
    const { id, secret } = server.service.keys.owner;
    const body = JSON.stringify({ entity: id, credentials: { type: 'api-key', payload: secret } });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(server.origin + authenticate, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  it('that closes its half of the connection is let go', async () => {
    const server = await serveForTest({ limits });
    const socket = opened(server, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.end();
    expect(await told(socket)).toMatch(/^HTTP\/1\.1 200 [^]*alive/);
  });
});

async function metric({ origin }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)![1]);
}
