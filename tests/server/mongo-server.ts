import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { JsonObject } from '@bufbuild/protobuf';
import { createClient, type Client } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { createApiKey } from '../../src/data-service/access/api-keys.ts';
import { defaultLimits } from '../../src/data-service/ports/dependencies.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import { toTimestamp } from '../../src/data-service/wire/timestamps.ts';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { nodeQueryWorkers } from '../../src/platform/node/query-worker.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { startDataHost, systemClock } from '../../src/server/start-data-host.ts';
import { createLog } from '../../src/server/http/log.ts';
import type { TlsFiles } from '../../src/server/requests/one-port.ts';
import { defaultServerLimits, type ServerLimits } from '../../src/server/limits/server-limits.ts';
import { startServer } from '../../src/server/start-server.ts';

/** One organization of a server, with clients that use its key. */
export interface Organization {
  readonly id: string;
  readonly data: Client<typeof DataService>;
  /** Uploads rows of one sensor with times a second apart, beginning at `start`. */
  upload(component: string, start: string, readings: readonly JsonObject[]): Promise<void>;
}

export interface MongoServer {
  readonly origin: string;
  readonly mongoPort: number;
  readonly a: Organization;
  readonly b: Organization;
  readonly store: DataStore;
  /** the server's log */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

export const password = 'correct horse';

/** Starts a server over SQLite with the MongoDB endpoint, and two organizations whose database users have passwords. */
export async function serveMongo(
  options: { readonly tls?: TlsFiles; readonly limits?: Partial<ServerLimits> } = {},
): Promise<MongoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-mongo-'));
  const store = await openSqliteDataStore(folder, systemClock);
  let logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const log = createLog('debug', sink);
  const host = startDataHost(store, nodeQueryWorkers({ databasePath: store.databasePath }), log, {
    limits: defaultLimits,
    publicOrigin: null,
  });
  const tls = options.tls ?? null;
  const limits = { ...defaultServerLimits, shutdownGraceMs: 5000, ...options.limits };
  const listens = { host: '127.0.0.1', port: 0, mongoPort: 0, tls, appFolder: 'no-app-here' };
  const server = await startServer(host.dependencies, log, { ...listens, limits });
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${server.port}`;

  async function organization(id: string): Promise<Organization> {
    const { access } = store;
    await access.createOrganization({ id, name: id, timeCreated: 0 });
    await access.createLocation({ id: `${id}-lab`, organizationId: id, name: 'lab' });
    const robot = { robotId: `${id}-robot`, robotName: 'robot' };
    await access.createPart({ id: `${id}-part`, name: 'main', ...robot, organizationId: id, locationId: `${id}-lab` });
    const owner = { organizationId: id, locationId: null, partId: null, role: 'owner', name: 'owner' } as const;
    const { key, secret } = await createApiKey(host.dependencies, owner);
    const transport = (authorization: string | null) =>
      createGrpcTransport({
        baseUrl: origin,
        nodeOptions: { ca: tls?.cert },
        interceptors: [
          (next) => (request) => {
            if (authorization !== null) request.header.set('authorization', authorization);
            return next(request);
          },
        ],
      });
    const credentials = { type: 'api-key', payload: secret };
    const { accessToken } = await createClient(AuthService, transport(null)).authenticate({
      entity: key.id,
      credentials,
    });
    const authorized = transport(`Bearer ${accessToken}`);
    const [data, sync] = [createClient(DataService, authorized), createClient(DataSyncService, authorized)];
    await data.configureDatabaseUser({ organizationId: id, password });
    return {
      id,
      data,
      async upload(component, start, readings) {
        const names = { componentType: 'rdk:component:sensor', componentName: component, methodName: 'Readings' };
        const timeOf = (index: number) => toTimestamp((Date.parse(start) + index * 1000) * 1000);
        await sync.dataCaptureUpload({
          metadata: { partId: `${id}-part`, type: DataType.TABULAR_SENSOR, ...names },
          sensorContents: readings.map((reading, index) => ({
            metadata: { timeRequested: timeOf(index) },
            data: { case: 'struct', value: { readings: reading } },
          })),
        });
      },
    };
  }

  const [a, b] = [await organization('a'), await organization('b')];
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await server.close();
    host.close();
    await store.close();
    await rm(folder, { recursive: true });
  };
  return { origin, a, b, store, mongoPort: server.mongoPort!, log: () => logged, close: () => (closing ??= close()) };
}

/** Connects MongoDB's own driver with the service's connection string. */
export async function driver(
  { id, data }: Organization,
  options: MongoClientOptions & { readonly password?: string } = {},
): Promise<MongoClient> {
  const { password: given = password, ...others } = options;
  const { mongodbUri } = await data.getDatabaseConnection({ organizationId: id });
  const auth = { username: `db-user-${id}`, password: given };
  return new MongoClient(mongodbUri, { auth, serverSelectionTimeoutMS: 10_000, ...others });
}
