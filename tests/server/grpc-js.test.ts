import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  credentials,
  loadPackageDefinition,
  Metadata,
  status,
  type ChannelCredentials,
  type ClientReadableStream,
  type ClientWritableStream,
  type ServiceError,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../src/server/test-server.ts';
import { addMemberInFolder } from '../clients/add-member.ts';
import { sensor, uniqueName } from '../clients/home.ts';
import { grpcJsTransport, packages } from '../clients/grpc-js-transport.ts';
import { login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { describeOperations, type ServiceClients } from '../clients/operation-scenarios.ts';
import { readmeColumn } from '../clients/readme-column.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';

const record = new OperationRecord();
const mebibyte = 2 ** 20;
const certificate = await makeCertificate();
let certificateDir: string;

beforeAll(async () => {
  certificateDir = await mkdtemp(join(tmpdir(), 'sightglass-certificate-'));
  await writeFile(join(certificateDir, 'cert.pem'), certificate.cert);
  await writeFile(join(certificateDir, 'key.pem'), certificate.key);
});
afterAll(() => rm(certificateDir, { recursive: true }));

const tlsOptions = () => ['--tls-cert', join(certificateDir, 'cert.pem'), '--tls-key', join(certificateDir, 'key.pem')];

// grpc-js clients are untyped; these are the types of the calls in the tests below.
type Answered = (error: ServiceError | null, answer?: Record<string, unknown>) => void;
interface Untyped extends Client {
  Authenticate(request: object, answered: Answered): void;
  DataCaptureUpload(request: object, metadata: Metadata, answered: Answered): void;
  FileUpload(metadata: Metadata, options: object, answered: Answered): ClientWritableStream<object>;
  ExportTabularData(request: object, metadata: Metadata, options?: object): ClientReadableStream<object>;
  BinaryDataByFilter(request: object, metadata: Metadata, answered: Answered): void;
}
type Services = Record<'auth' | 'sync' | 'data', Untyped>;

function servicesAt(origin: string, channel: ChannelCredentials): Services {
  const loaded = loadPackageDefinition(packages) as unknown as {
    proto: { rpc: { v1: { AuthService: typeof Client } } };
    viam: {
      app: { datasync: { v1: { DataSyncService: typeof Client } }; data: { v1: { DataService: typeof Client } } };
    };
  };
  const open = (Service: typeof Client): Untyped => new Service(new URL(origin).host, channel) as Untyped;
  const { viam, proto } = loaded;
  return {
    auth: open(proto.rpc.v1.AuthService),
    sync: open(viam.app.datasync.v1.DataSyncService),
    data: open(viam.app.data.v1.DataService),
  };
}

const metricsOf = ({ origin }: SightglassServer) =>
  new Promise<string>((resolve, reject) => {
    const get = origin.startsWith('https') ? https.get : http.get;
    get(`${origin}/metrics`, { ca: certificate.cert }, (response) => {
      response.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
    }).on('error', reject);
  });

const answerOf = (call: (answered: Answered) => void) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer!)));
  });

describe.each([
  ['without TLS', false],
  ['over TLS', true],
])('grpc-js %s', (_, isSecure) => {
  const channel = (): ChannelCredentials =>
    isSecure ? credentials.createSsl(Buffer.from(certificate.cert)) : credentials.createInsecure();
  let server: SightglassServer;
  let client: Client;
  let clients: ServiceClients;
  let services: Services;
  const metadata = new Metadata();

  beforeAll(async () => {
    server = await serveSightglass(['--mongo-port', '0', ...(isSecure ? tlsOptions() : [])]);
    client = new Client(new URL(server.origin).host, channel());
    clients = await login(server, (authorization) => grpcJsTransport(client, authorization), record);
    services = servicesAt(server.origin, channel());
    const { keyId: entity, key: payload } = server;
    const asked = { entity, credentials: { type: 'api-key', payload } };
    const { accessToken } = await answerOf((answered) => services.auth.Authenticate(asked, answered));
    metadata.set('authorization', `Bearer ${String(accessToken)}`);
  });
  afterAll(async () => {
    for (const open of [client, ...Object.values(services)]) open.close();
    await server.close();
  });

  describeOperations({
    home: () => server,
    clients: () => clients,
    record,
    // Node's fetch does not trust the test certificate.
    answersUrls: !isSecure,
    addMember: () => addMemberInFolder(server.dataDir, server.organizationId),
  });

  /** Uploaded files in the data folder, complete or partial. */
  const keptFiles = async () =>
    (await readdir(server.dataDir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && /^(unfinished-|[0-9a-f]{64}-)/.test(entry.name))
      .map(({ name }) => name)
      .toSorted();
  const countOf = async (componentName: string) => {
    const asked = { dataRequest: { filter: { componentName } }, countOnly: true };
    const { count = 0 } = await answerOf((answered) => services.data.BinaryDataByFilter(asked, metadata, answered));
    return Number(count);
  };
  /** Waits until the server has no running call except the request that reads the number. */
  const nothingRuns = () => {
    const running = async () => Number(/^sightglass_requests_in_flight (\d+)$/m.exec(await metricsOf(server))![1]);
    return expect.poll(running, { timeout: 10_000, interval: 20 }).toBe(1);
  };
  const metadataPacket = (componentName: string) => ({
    metadata: { partId: server.partId, type: 'DATA_TYPE_FILE', componentName, fileName: 'walk.mp4' },
  });

  /** Starts an endless upload, and waits until its first bytes are on the server's disk. */
  async function beginUpload(componentName: string, callOptions: object = {}) {
    const before = await keptFiles();
    const upload: { call?: ClientWritableStream<object> } = {};
    const ended = answerOf(
      (answered) => (upload.call = services.sync.FileUpload(metadata, callOptions, answered)),
    ).then(
      () => 'stored',
      (error: ServiceError) => error.code,
    );
    upload.call!.write(metadataPacket(componentName));
    for (let chunk = 0; chunk < 16; chunk++)
      upload.call!.write({ fileContents: { data: Buffer.alloc(65_536, chunk) } });
    await expect.poll(keptFiles, { timeout: 10_000, interval: 20 }).toHaveLength(before.length + 1);
    return { before, call: upload.call!, ended };
  }

  it('stores nothing of an upload that it cancels', async () => {
    const name = uniqueName('file');
    const { before, call, ended } = await beginUpload(name);
    call.cancel();
    expect(await ended).toBe(status.CANCELLED);
    await expect.poll(keptFiles, { timeout: 10_000, interval: 20 }).toEqual(before);
    expect(await countOf(name)).toBe(0);
  });

  it('stores nothing of an upload whose deadline passes', async () => {
    const name = uniqueName('file');
    const { before, ended } = await beginUpload(name, { deadline: Date.now() + 1000 });
    expect(await ended).toBe(status.DEADLINE_EXCEEDED);
    await expect.poll(keptFiles, { timeout: 10_000, interval: 20 }).toEqual(before);
    expect(await countOf(name)).toBe(0);
  });

  it('is refused 70 MB in one message, and nothing of it is stored', async () => {
    const [name, before] = [uniqueName('file'), await keptFiles()];
    const data = Buffer.alloc(70 * mebibyte);
    const { metadata: described } = metadataPacket(name);
    const request = { metadata: { ...described, type: 'DATA_TYPE_BINARY_SENSOR' }, sensorContents: [{ binary: data }] };
    const captured = answerOf((answered) => services.sync.DataCaptureUpload(request, metadata, answered));
    await expect(captured).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    const streamed = answerOf((answered) => {
      const call = services.sync.FileUpload(metadata, {}, answered);
      call.write(metadataPacket(name));
      call.write({ fileContents: { data } });
      call.end();
    });
    await expect(streamed).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(await countOf(name)).toBe(0);
    expect(await keptFiles()).toEqual(before);
    await nothingRuns();
  });

  it('stops an export in the middle', async () => {
    const [componentName, rows] = [uniqueName('probe'), 5_000];
    const resource = { componentName, componentType: sensor, methodName: 'Readings' };
    const request = {
      metadata: { partId: server.partId, type: 'DATA_TYPE_TABULAR_SENSOR', ...resource },
      sensorContents: Array.from({ length: rows }, () => ({
        // More than the buffers of both ends can hold, so that the server must wait for the reader.
        struct: { fields: { note: { stringValue: 'x'.repeat(1000) } } },
      })),
    };
    await answerOf((answered) => services.sync.DataCaptureUpload(request, metadata, answered));
    const asked = { partId: server.partId, resourceName: componentName, resourceSubtype: sensor };
    const call = services.data.ExportTabularData({ ...asked, methodName: 'Readings' }, metadata);
    let read = 0;
    await expect(
      (async () => {
        for await (const _ of call) if (++read === 10) call.cancel();
      })(),
    ).rejects.toMatchObject({ code: status.CANCELLED });
    expect(read).toBeGreaterThanOrEqual(10);
    expect(read).toBeLessThan(rows);
    await nothingRuns();
  });

  it('is told of a deadline that has passed', async () => {
    const asked = { partId: server.partId, resourceName: 'any', resourceSubtype: sensor };
    const call = services.data.ExportTabularData(asked, metadata, { deadline: Date.now() - 1 });
    const failure = await new Promise<ServiceError>((resolve) => {
      call.once('error', resolve);
      call.resume();
    });
    expect(failure.code).toBe(status.DEADLINE_EXCEEDED);
  });

  it('is refused with a token that the server has not made', async () => {
    const forged = new Metadata();
    forged.set('authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.');
    const call = answerOf((answered) => services.data.BinaryDataByFilter({}, forged, answered));
    await expect(call).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
  });
});

it('is what the README says', () => {
  expect(readmeColumn('Server: grpc-js', record.marks)).toEqual(record.marks);
});
