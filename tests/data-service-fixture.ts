import type { DescService, JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, createRouterTransport, type Transport } from '@connectrpc/connect';
import { issueAccessToken } from '../src/data-service/access/access-token.ts';
import type { SessionToken } from '../src/data-service/access/sessions.ts';
import { createApiKey } from '../src/data-service/access/api-keys.ts';
import { webCryptoSecrets } from '../src/data-service/access/web-crypto-secrets.ts';
import { dataServiceRoutes } from '../src/data-service/data-service-routes.ts';
import { defaultLimits, noLogIn, type DataServiceDependencies } from '../src/data-service/ports/dependencies.ts';
import { join, membershipOf, personOf } from './contract/data-store/people.ts';
import { memoryDataStore } from './memory-store/memory-data-store.ts';
import { sessionHeaders, withSessions } from './session-host.ts';
import type { Role } from '../src/data-service/ports/access-store.ts';
import type { Micros } from '../src/data-service/ports/stored-captures.ts';
import { QueryError } from '../src/data-service/ports/query-runner.ts';
import { toTimestamp } from '../src/data-service/wire/timestamps.ts';
import { DataService } from '../src/gen/app/data/v1/data_pb.ts';
import { DatasetService } from '../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataPipelinesService } from '../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DataSyncService, DataType, type UploadMetadataSchema } from '../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../src/gen/proto/rpc/v1/auth_pb.ts';

/** Microseconds of an ISO time. */
export const micros = (iso: string): Micros => Date.parse(iso) * 1000;

export const startTime = micros('2026-03-11T05:00:00Z');

/** Clients of every service, with the same key. */
export interface Clients {
  readonly auth: ReturnType<typeof createClient<typeof AuthService>>;
  readonly sync: ReturnType<typeof createClient<typeof DataSyncService>>;
  readonly data: ReturnType<typeof createClient<typeof DataService>>;
  readonly datasets: ReturnType<typeof createClient<typeof DatasetService>>;
  readonly pipelines: ReturnType<typeof createClient<typeof DataPipelinesService>>;
  readonly transport: Transport;
  readonly of: <Service extends DescService>(service: Service) => ReturnType<typeof createClient<Service>>;
}

/** A service with two organizations, `a` (with two locations) and `b`. Each location has a part and keys. */
export interface TestService {
  readonly dependencies: DataServiceDependencies;
  /** the causes of `Internal` answers; tests expect none */
  readonly defects: unknown[];
  readonly time: { now: Micros };
  readonly anonymous: Clients;
  /** an owner of organization a */
  readonly owner: Clients;
  /** an operator of organization a */
  readonly operator: Clients;
  readonly reviewer: Clients;
  readonly annotator: Clients;
  /** an owner of only the second location of organization a */
  readonly local: Clients;
  /** an owner of only the part `yard-part` of organization a */
  readonly atPart: Clients;
  /** an owner of organization b */
  readonly stranger: Clients;
  readonly keys: Readonly<
    Record<Role | 'local' | 'atPart' | 'stranger', { readonly id: string; readonly secret: string }>
  >;
  readonly as: (authorization: string | null) => Clients;
  /** a person who is logged in */
  readonly inSession: (session: SessionToken) => Clients;
  /** what calls have set the cookie of their session to */
  readonly cookies: readonly (string | null)[];
  /** a transport that adds no token */
  readonly transport: Transport;
}

const withHeaders = (transport: Transport, headers: Readonly<Record<string, string>>): Transport => {
  const added = (init: ConstructorParameters<typeof Headers>[0]): Headers => {
    const header = new Headers(init);
    for (const [name, value] of Object.entries(headers)) header.set(name, value);
    return header;
  };
  return {
    unary: (method, signal, timeoutMs, header, ...rest) =>
      transport.unary(method, signal, timeoutMs, added(header), ...rest),
    stream: (method, signal, timeoutMs, header, ...rest) =>
      transport.stream(method, signal, timeoutMs, added(header), ...rest),
  };
};

/** Adds annotators of organization a, to whom images can be given. */
export async function addAnnotators(
  { dependencies }: Pick<TestService, 'dependencies'>,
  people: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [id, name] of Object.entries(people))
    await join(dependencies.store.people!, personOf(id, { name }), membershipOf(id, { organizationId: 'a' }));
}

const refuseQuery = (): Promise<never> =>
  Promise.reject(new QueryError('invalid-query', 'This service runs no queries.'));

export async function startDataService(changes: Partial<DataServiceDependencies> = {}): Promise<TestService> {
  const time = { now: startTime };
  const clock = { now: () => time.now };
  const defects: unknown[] = [];
  let nextId = 0;
  const dependencies: DataServiceDependencies = {
    store: memoryDataStore(clock),
    clock,
    ids: { next: () => `id-${String(++nextId).padStart(6, '0')}` },
    // One iteration, because these tests need no slow key hashes.
    secrets: webCryptoSecrets(crypto, 1),
    queryRunner: {
      run: refuseQuery,
      async *stream() {
        yield await refuseQuery();
      },
    },
    defects: { report: (error) => defects.push(error) },
    limits: defaultLimits,
    withoutToken: null,
    logIn: noLogIn,
    publicOrigin: () => 'https://data.example',
    database: { absentBecause: 'This host has no database endpoint.' },
    ...changes,
  };
  const { access } = dependencies.store;
  for (const id of ['a', 'b'])
    await access.createOrganization({ id, name: `Organization ${id}`, timeCreated: startTime });
  for (const [organizationId, id] of [
    ['a', 'lab'],
    ['a', 'yard'],
    ['b', 'ship'],
  ] as const) {
    await access.createLocation({ id, organizationId, name: id });
    const robot = { robotId: `${id}-robot`, robotName: `${id} robot` };
    await access.createPart({ id: `${id}-part`, name: `${id} main`, ...robot, organizationId, locationId: id });
  }

  const cookies: (string | null)[] = [];
  const transport = createRouterTransport((router) => {
    dataServiceRoutes(dependencies)(withSessions(router, cookies));
  });
  const clientsWith = (headers: Readonly<Record<string, string>>): Clients => {
    const own = withHeaders(transport, headers);
    const of: Clients['of'] = (service) => createClient(service, own);
    return {
      of,
      transport: own,
      auth: of(AuthService),
      sync: of(DataSyncService),
      data: of(DataService),
      datasets: of(DatasetService),
      pipelines: of(DataPipelinesService),
    };
  };
  const as = (authorization: string | null): Clients => clientsWith(authorization === null ? {} : { authorization });
  const anonymous = as(null);
  const createKey = async (
    organizationId: string,
    locationId: string | null,
    role: Role,
    partId: string | null = null,
  ) => {
    const of = { organizationId, locationId, partId, role, name: role };
    const { key, secret } = await createApiKey(dependencies, of);
    return { id: key.id, secret };
  };
  const keys = {
    owner: await createKey('a', null, 'owner'),
    operator: await createKey('a', null, 'operator'),
    reviewer: await createKey('a', null, 'reviewer'),
    annotator: await createKey('a', null, 'annotator'),
    local: await createKey('a', 'yard', 'owner'),
    atPart: await createKey('a', 'yard', 'owner', 'yard-part'),
    stranger: await createKey('b', null, 'owner'),
  };
  // Tokens must stay valid, although tests move the clock by days and years.
  const limits = { ...dependencies.limits, tokenLifeMs: 100 * 365 * 86_400_000 };
  const withKey = async ({ id }: { readonly id: string }): Promise<Clients> =>
    as(`Bearer ${await issueAccessToken({ ...dependencies, limits }, (await access.getKey(id))!)}`);
  return {
    dependencies,
    defects,
    time,
    anonymous,
    keys,
    as,
    inSession: (session) => clientsWith(sessionHeaders(session)),
    cookies,
    transport,
    owner: await withKey(keys.owner),
    operator: await withKey(keys.operator),
    reviewer: await withKey(keys.reviewer),
    annotator: await withKey(keys.annotator),
    local: await withKey(keys.local),
    atPart: await withKey(keys.atPart),
    stranger: await withKey(keys.stranger),
  };
}

/** The name of the Connect code with which a call fails, or 'ok'. */
export const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => Code[ConnectError.from(error).code],
  );

/** Uploads one small picture of the part `lab-part` and returns its binary data id. */
export async function uploadPicture(
  { sync }: Pick<Clients, 'sync'>,
  metadata: MessageInitShape<typeof UploadMetadataSchema> = {},
  at: Micros = startTime,
  content = 'pixels',
): Promise<string> {
  const { binaryDataId } = await sync.dataCaptureUpload({
    metadata: { partId: 'lab-part', type: DataType.BINARY_SENSOR, fileExtension: '.png', ...metadata },
    sensorContents: [
      {
        metadata: { timeRequested: toTimestamp(at) },
        data: { case: 'binary', value: new TextEncoder().encode(content) },
      },
    ],
  });
  return binaryDataId;
}

/** Uploads one reading of the sensor `scale` of the part `lab-part`. */
export async function uploadReading(
  { sync }: Pick<Clients, 'sync'>,
  readings: JsonObject,
  at: Micros = startTime,
  metadata: MessageInitShape<typeof UploadMetadataSchema> = {},
): Promise<void> {
  const names = { componentType: 'rdk:component:sensor', componentName: 'scale', methodName: 'Readings' };
  await sync.dataCaptureUpload({
    metadata: { partId: 'lab-part', type: DataType.TABULAR_SENSOR, ...names, ...metadata },
    sensorContents: [{ metadata: { timeRequested: toTimestamp(at) }, data: { case: 'struct', value: { readings } } }],
  });
}

export { collect } from './collect.ts';
