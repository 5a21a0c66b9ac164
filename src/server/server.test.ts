import { get, type IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { create, toBinary } from '@bufbuild/protobuf';
import { ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeOf } from '../../tests/data-service-fixture.ts';
import { defaultLimits } from '../data-service/ports/dependencies.ts';
import { DataService } from '../gen/app/data/v1/data_pb.ts';
import { DataSyncService, DataType, FileUploadRequestSchema } from '../gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../gen/proto/rpc/v1/auth_pb.ts';
import { makeCertificate, serveForTest, type TestServer } from './test-server.ts';

const certificate = await makeCertificate();
const nodeOptions = { ca: certificate.cert };
const chunkBytes = 64 * 1024;

const protocols: Record<string, (baseUrl: string, interceptors: Interceptor[]) => Transport> = {
  'gRPC over HTTP/2': (baseUrl, interceptors) => createGrpcTransport({ baseUrl, interceptors, nodeOptions }),
  'gRPC-Web over HTTP/1.1': (baseUrl, interceptors) =>
    createGrpcWebTransport({ baseUrl, interceptors, nodeOptions, httpVersion: '1.1' }),
  'Connect over HTTP/1.1': (baseUrl, interceptors) =>
    createConnectTransport({ baseUrl, interceptors, nodeOptions, httpVersion: '1.1' }),
  'Connect over HTTP/2': (baseUrl, interceptors) =>
    createConnectTransport({ baseUrl, interceptors, nodeOptions, httpVersion: '2' }),
};

/** How many requests run, as the port for keepers says. */
async function runningCalls({ metricsPort }: TestServer): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^sightglass_requests_in_flight (\d+)$/m.exec(text)![1]);
}

async function login(server: TestServer, protocol = 'gRPC over HTTP/2', who: 'owner' | 'stranger' = 'owner') {
  const { id, secret } = server.service.keys[who];
  const anonymous = createClient(AuthService, protocols[protocol]!(server.origin, []));
  const { accessToken } = await anonymous.authenticate({
    entity: id,
    credentials: { type: 'api-key', payload: secret },
  });
  const authorization = `Bearer ${accessToken}`;
  const transport = protocols[protocol]!(server.origin, [
    (next) => (request) => {
      request.header.set('authorization', authorization);
      return next(request);
    },
  ]);
  const [sync, data] = [createClient(DataSyncService, transport), createClient(DataService, transport)];
  return { authorization, sync, data };
}

async function* fileOf(bytes: Uint8Array, partId = 'lab-part') {
  yield { uploadPacket: { case: 'metadata' as const, value: { partId, type: DataType.FILE, fileName: 'clip.mp4' } } };
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield { uploadPacket: { case: 'fileContents' as const, value: { data: bytes.slice(at, at + chunkBytes) } } };
  }
}

const someBytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 31) % 251);

describe.each([
  ['without TLS', null],
  ['with TLS', certificate],
])('one port %s', (_, tls) => {
  it.each(Object.keys(protocols))('takes a file and gives it back by %s', async (protocol) => {
    const server = await serveForTest({ tls });
    const { sync, data } = await login(server, protocol);
    const bytes = someBytes(300_000);
    const { binaryDataId } = await sync.fileUpload(fileOf(bytes));
    const found = await data.binaryDataByIDs({ binaryDataIds: [binaryDataId], includeBinary: true });
    expect(Buffer.compare(found.data[0]!.binary, bytes)).toBe(0);
    expect(found.data[0]!.metadata!.uri).toBe(`${server.origin}/data/files/${binaryDataId}`);
    expect(await codeOf(data.binaryDataByIDs({ binaryDataIds: ['a/lab/none'] }))).toBe('NotFound');
    expect(server.service.defects).toEqual([]);
  });
});

it('gives files by uri and by signed URL, in ranges, over TLS too', async () => {
  const server = await serveForTest({ tls: certificate });
  const { sync, data, authorization } = await login(server);
  const { binaryDataId } = await sync.fileUpload(fileOf(someBytes(1000)));
  const { signedUrl } = await data.createBinaryDataSignedURL({ binaryDataId });
  const get = (url: string, headers = {}) =>
    new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
      httpsRequest(url, { ca: certificate.cert, headers }, (response) => {
        response
          .toArray()
          .then((chunks) => resolve({ status: response.statusCode!, body: Buffer.concat(chunks) }), reject);
      })
        .on('error', reject)
        .end();
    });
  expect((await get(signedUrl)).body).toEqual(Buffer.from(someBytes(1000)));
  expect(await get(signedUrl, { range: 'bytes=10-19' })).toEqual({
    status: 206,
    body: Buffer.from(someBytes(1000).slice(10, 20)),
  });
  expect((await get(`${signedUrl}0`)).status).toBe(403);
  const uri = `${server.origin}/data/files/${binaryDataId}`;
  expect((await get(uri)).status).toBe(401);
  expect((await get(uri, { authorization })).status).toBe(200);
  const { id, secret } = server.service.keys.owner;
  expect((await get(uri, { key_id: id, key: secret })).status).toBe(200);
  expect((await get(uri, { key_id: id, key: 'wrong' })).status).toBe(401);
});

it('lets pages of other origins call, and read what they need', async () => {
  const { origin } = await serveForTest();
  const path = `${origin}/viam.app.data.v1.DataService/BinaryDataByFilter`;
  const preflight = await fetch(path, {
    method: 'OPTIONS',
    headers: { origin: 'https://bench.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  const allowed = preflight.headers.get('access-control-allow-headers')!.split(', ');
  const sent =
    'authorization content-type viam_client x-grpc-web x-user-agent connect-protocol-version connect-timeout-ms';
  expect(allowed).toEqual(expect.arrayContaining(sent.split(' ')));
  const answer = await fetch(path, {
    method: 'POST',
    headers: { origin: 'https://bench.example', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const exposed = answer.headers.get('access-control-expose-headers')!.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['grpc-status', 'grpc-message', 'grpc-status-details-bin']));
  expect((await fetch(`${origin}/healthz`)).headers.get('vary')).toContain('origin');
});

it('tells its keepers how it is', async () => {
  const server = await serveForTest();
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  await login(server);
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  expect(text).toContain(
    'sightglass_requests_total{operation="/proto.rpc.v1.AuthService/Authenticate",status="200",code="OK"} 1',
  );
  server.service.dependencies.store.access.listOrganizations = () => Promise.reject(new Error('gone'));
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
});

it('tells no page of another origin its metrics, and has them on a port of their own where asked', async () => {
  const headers = { origin: 'https://page.example' };
  const shared = await serveForTest();
  expect((await fetch(`${shared.origin}/metrics`, { headers })).headers.has('access-control-allow-origin')).toBe(false);
  const apart = await serveForTest({ metricsPort: 0 });
  const keepers = `http://127.0.0.1:${apart.metricsPort}`;
  const paths = ['/metrics', '/healthz', '/readyz', '/', '/data/files/x'];
  const statuses = (origin: string) => Promise.all(paths.map(async (path) => (await fetch(origin + path)).status));
  expect(await statuses(keepers)).toEqual([200, 200, 200, 404, 404]);
  expect(await statuses(apart.origin)).toEqual([404, 200, 200, 404, 401]);
});

it.each(['http1', 'http2'] as const)(
  'answers over %s only to names that are its own, but to probes',
  async (version) => {
    const server = await serveForTest({ allowedHosts: new Set(['localhost']) });
    const statusOf = (path: string, host: string) => statusFor(version, server.port, path, host);
    expect(await statusOf('/metrics', 'localhost')).toBe(200);
    expect(await statusOf('/metrics', 'evil.example')).toBe(421);
    expect(await statusOf('/', 'evil.example')).toBe(421);
    expect(await statusOf('/healthz', 'evil.example')).toBe(200);
  },
);

async function statusFor(version: 'http1' | 'http2', port: number, path: string, host: string): Promise<number> {
  if (version === 'http1') {
    const [answer] = (await once(get({ port, host: '127.0.0.1', path, headers: { host } }), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    return answer.statusCode!;
  }
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const [headers] = (await once(session.request({ ':path': path, ':authority': host }), 'response')) as [
    { ':status': number },
  ];
  session.destroy();
  return headers[':status'];
}

describe('a crowd of connections', () => {
  const idle = async (server: TestServer, count: number): Promise<{ readonly open: () => number }> => {
    let open = count;
    for (let number = 0; number < count; number++) {
      const socket = connect({ port: server.port, host: '127.0.0.1' });
      socket.on('error', () => undefined).on('close', () => open--);
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
    }
    return { open: () => open };
  };

  it('of one address makes room within its share, the longest idle first', async () => {
    const server = await serveForTest({ limits: { maxConnections: 100, maxConnectionsPerAddress: 5 } });
    const crowd = await idle(server, 12);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    await expect.poll(crowd.open).toBe(4);
  });

  it('that says nothing refuses nobody', async () => {
    const server = await serveForTest({ limits: { maxConnections: 5 } });
    const crowd = await idle(server, 12);
    const { data } = await login(server);
    expect((await data.binaryDataByFilter({ countOnly: true })).count).toBe(0n);
    await expect.poll(crowd.open).toBeLessThanOrEqual(4);
  });

  it('that is at work leaves a place to probes, and to nobody else', async () => {
    const server = await serveForTest({ metricsPort: 0, limits: { maxConnections: 2 } });
    const { id, secret } = server.service.keys.owner;
    const credentials = { type: 'api-key', payload: secret };
    const { accessToken } = await server.service.anonymous.auth.authenticate({ entity: id, credentials });
    for (const _ of [1, 2]) {
      const socket = connect({ port: server.port, host: '127.0.0.1' });
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write(
        `POST /viam.app.data.v1.DataService/BinaryDataByFilter HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${accessToken}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n`,
      );
    }
    await expect.poll(() => runningCalls(server)).toBe(2);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.origin}/`)).status).toBe(503);
  });
});

it('logs no key, no token and no signature', async () => {
  const server = await serveForTest();
  const { sync, data, authorization } = await login(server);
  const { binaryDataId } = await sync.fileUpload(fileOf(someBytes(10)));
  const { signedUrl } = await data.createBinaryDataSignedURL({ binaryDataId });
  await (await fetch(signedUrl)).arrayBuffer();
  await server.close();
  expect(server.log()).toContain('"operation":"download"');
  const secrets = [server.service.keys.owner.secret, authorization.slice(7), /signature=(.*)/.exec(signedUrl)![1]!];
  for (const secret of secrets) expect(server.log()).not.toContain(secret);
});

it('refuses more attempts to authenticate than one address may make, right ones too', async () => {
  const server = await serveForTest({ limits: { authenticateBurst: 2, authenticatePerMinute: 1 } });
  const client = createClient(AuthService, protocols['gRPC-Web over HTTP/1.1']!(server.origin, []));
  const attempt = (payload: string) =>
    codeOf(client.authenticate({ entity: server.service.keys.owner.id, credentials: { type: 'api-key', payload } }));
  expect([await attempt('guess'), await attempt('guess'), await attempt(server.service.keys.owner.secret)]).toEqual([
    'Unauthenticated',
    'Unauthenticated',
    'ResourceExhausted',
  ]);
  for (const protocol of Object.values(protocols)) {
    const refused = createClient(AuthService, protocol(server.origin, [])).authenticate({
      entity: 'x',
      credentials: { type: 'api-key', payload: 'x' },
    });
    const error = ConnectError.from(await refused.catch((reason: unknown) => reason));
    expect([error.rawMessage, error.metadata.get('retry-after')]).toEqual([
      'Too many attempts to authenticate; try again in 60 s.',
      '60',
    ]);
  }
  const download = await fetch(`${server.origin}/data/files/a/lab/x`, { headers: { key_id: 'x', key: 'x' } });
  expect([download.status, download.headers.get('retry-after')]).toEqual([429, '60']);
});

it.each([
  ['one budget for all behind a proxy', {}, 'ResourceExhausted'],
  ['each client behind a trusted proxy its own', { trustedProxies: { hops: 1 } }, 'Unauthenticated'],
])('gives %s', async (_, options, code) => {
  const server = await serveForTest({ ...options, limits: { authenticateBurst: 1, authenticatePerMinute: 1 } });
  const client = createClient(AuthService, protocols['gRPC-Web over HTTP/1.1']!(server.origin, []));
  const attemptFrom = (address: string) => {
    const credentials = { type: 'api-key', payload: 'guess' };
    return codeOf(client.authenticate({ entity: 'x', credentials }, { headers: { 'x-forwarded-for': address } }));
  };
  expect(await attemptFrom('1.1.1.1')).toBe('Unauthenticated');
  expect(await attemptFrom('2.2.2.2')).toBe(code);
  expect(await attemptFrom('2.2.2.2')).toBe('ResourceExhausted');
});

it('a crowd of wrong keys for files meets the same limit, and holds nobody else up', async () => {
  const server = await serveForTest({ limits: { authenticateBurst: 2, authenticatePerMinute: 1 } });
  const { sync, authorization } = await login(server);
  const { binaryDataId } = await sync.fileUpload(fileOf(someBytes(12)));
  const uri = `${server.origin}/data/files/${binaryDataId}`;
  const crowd = Array.from({ length: 300 }, (_, number) => fetch(uri, { headers: { key_id: 'x', key: `${number}` } }));
  expect((await fetch(uri, { headers: { authorization } })).status).toBe(200);
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(298);
});

it('answers a call that comes before the answer ahead of it on its connection is out', async () => {
  const { port } = await serveForTest();
  const body = '{}';
  const call = ['POST /sightglass.people.v1.SessionService/GetSession HTTP/1.1', `host: 127.0.0.1:${port}`].concat(
    'content-type: application/json',
    `content-length: ${body.length}`,
  );
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.write(`${call.join('\r\n')}\r\n\r\n${body}`.repeat(2));
  await expect.poll(() => answer.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(2);
});

it('reads no credentials longer than 64 KiB', async () => {
  const server = await serveForTest();
  const client = createClient(AuthService, protocols['gRPC-Web over HTTP/1.1']!(server.origin, []));
  const credentials = { type: 'api-key', payload: 'x'.repeat(65_536) };
  expect(await codeOf(client.authenticate({ entity: 'x', credentials }))).toBe('ResourceExhausted');
});

it('refuses a message over the limit before it is whole', async () => {
  const limits = { ...defaultLimits, maxMessageBytes: 100_000 };
  const server = await serveForTest({ service: { limits } });
  const { sync } = await login(server);
  const metadata = { partId: 'lab-part', type: DataType.BINARY_SENSOR };
  const sensorContents = [{ data: { case: 'binary' as const, value: someBytes(200_000) } }];
  expect(await codeOf(sync.dataCaptureUpload({ metadata, sensorContents }))).toBe('ResourceExhausted');
});

describe('a client that holds things up', () => {
  /** What the server says before it closes the connection: the client itself never does. */
  const cutOff = async (server: TestServer, sent: string): Promise<string> => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    const said: Buffer[] = [];
    socket.on('data', (bytes) => said.push(bytes)).on('error', () => undefined);
    socket.write(sent);
    await Promise.race([once(socket, 'end'), once(socket, 'close')]);
    socket.destroy();
    return Buffer.concat(said).toString('latin1');
  };
  const limits = { headersTimeoutMs: 100, stallTimeoutMs: 100, idleTimeoutMs: 100 };

  // RFC 9113 6.8: eight bytes of a frame of type 7, for the whole connection
  const goAway = new RegExp(String.fromCharCode(0, 0, 8, 7, 0, 0, 0, 0, 0));
  it.each<[string, string, RegExp]>([
    ['says too little to tell what it speaks', 'PR', /^$/],
    ['never ends its headers', 'GET / HTTP/1.1\r\nHost: a\r\n', /^HTTP\/1\.1 408 /],
    ['asks for nothing over HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', goAway],
    [
      'keeps a connection that it does not use',
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      /^HTTP\/1\.1 200 [^]*alive/,
    ],
    [
      'never ends its message',
      'POST /proto.rpc.v1.AuthService/Authenticate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      /^$/,
    ],
  ])('is cut off: it %s', async (_, sent, told) => {
    expect(await cutOff(await serveForTest({ limits }), sent)).toMatch(told);
  });

  it('is cut off in the middle of an upload, and nothing of it is kept', async () => {
    const server = await serveForTest({ limits: { stallTimeoutMs: 100 } });
    const { sync } = await login(server);
    async function* silent() {
      yield* fileOf(someBytes(1000));
      await new Promise(() => undefined);
    }
    expect(await codeOf(sync.fileUpload(silent()))).toBe('Canceled');
    expect((await server.service.owner.data.binaryDataByFilter({ countOnly: true })).count).toBe(0n);
  });

  it('without a host name is told so', async () => {
    const server = await serveForTest();
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /proto.rpc.v1.AuthService/Authenticate HTTP/1.0\r\n\r\n');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toContain('400');
    socket.destroy();
  });
});

it('finishes an upload under way when it stops, and takes no new one', async () => {
  const server = await serveForTest({ limits: { shutdownGraceMs: 60_000 } });
  const { sync, authorization } = await login(server);
  let started!: () => void;
  let goOn!: () => void;
  const [uploadStarted, mayGoOn] = [
    new Promise<void>((resolve) => (started = resolve)),
    new Promise<void>((resolve) => (goOn = resolve)),
  ];
  async function* slow() {
    let packets = 0;
    for await (const packet of fileOf(someBytes(200_000))) {
      yield packet;
      if (++packets === 2) {
        started();
        await mayGoOn;
      }
    }
  }
  const upload = sync.fileUpload(slow());
  await uploadStarted;
  const closed = server.close();
  const late = fetch(`${server.origin}/readyz`, { headers: { authorization } });
  await expect(late).rejects.toThrow();
  goOn();
  const { binaryDataId } = await upload;
  await closed;
  const found = await server.service.owner.data.binaryDataByIDs({ binaryDataIds: [binaryDataId], includeBinary: true });
  expect(found.data[0]!.binary.length).toBe(200_000);
});

// RST_STREAM of stream 1 with CANCEL (RFC 9113, section 6.4); Node's own client would end the stream before it.
const resetFrame = Buffer.from('00000403000000000100000008', 'hex');

it.each<[string, (socket: Socket) => unknown]>([
  ['connection breaks', (socket) => socket.destroy()],
  ['client resets it', (socket) => socket.write(resetFrame)],
])('stores nothing of an upload whose %s', async (_, breakOff) => {
  const server = await serveForTest();
  const { authorization } = await login(server);
  const socket = connect(server.port, '127.0.0.1');
  const session = connectHttp2(server.origin, { createConnection: () => socket });
  session.on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/viam.app.datasync.v1.DataSyncService/FileUpload',
    'content-type': 'application/grpc',
    authorization,
  });
  stream.on('error', () => undefined);
  const { put } = server.service.dependencies.store.blobs;
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const stored = new Promise((resolve) => {
    server.service.dependencies.store.blobs.put = async (content, signal) => {
      begin();
      const result = put(content, signal);
      resolve(
        result.then(
          () => 'stored',
          () => 'given up',
        ),
      );
      return result;
    };
  });
  for await (const packet of fileOf(someBytes(1000))) {
    const message = toBinary(FileUploadRequestSchema, create(FileUploadRequestSchema, packet));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.write(Buffer.concat([head, message]));
  }
  await begun;
  breakOff(socket);
  expect(await stored).toBe('given up');
  socket.destroy();
});

it('is not ready while it starts, and alive', async () => {
  let isStarting = true;
  const server = await serveForTest({ isStarting: () => isStarting });
  const statusOf = async (path: string): Promise<number> => (await fetch(server.origin + path)).status;
  expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
  isStarting = false;
  expect(await statusOf('/readyz')).toBe(200);
});
