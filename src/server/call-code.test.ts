import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect, it, vi } from 'vitest';
import { defaultLimits } from '../data-service/dependencies.ts';
import { StoreError } from '../data-service/ports/store-error.ts';
import { codeOf, collect } from '../../tests/data-service-fixture.ts';
import { DataService } from '../gen/app/data/v1/data_pb.ts';
import { AuthService } from '../gen/proto/rpc/v1/auth_pb.ts';
import { serveForTest, type TestServer } from './test-server.ts';

const protocols: Record<string, (baseUrl: string, interceptors: Interceptor[]) => Transport> = {
  gRPC: (baseUrl, interceptors) => createGrpcTransport({ baseUrl, interceptors }),
  'gRPC-Web': (baseUrl, interceptors) => createGrpcWebTransport({ baseUrl, interceptors, httpVersion: '1.1' }),
  Connect: (baseUrl, interceptors) => createConnectTransport({ baseUrl, interceptors, httpVersion: '1.1' }),
};
const service = '/viam.app.data.v1.DataService';

/** The calls that have ended, as "method code". */
async function endedCalls(server: TestServer): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  const calls = text.matchAll(/^sightglass_requests_total\{operation="([^"]*)",status="\d+",code="(\w+)"\} 1$/gm);
  return [...calls].map(([, operation, code]) => `${operation!.split('/').at(-1)} ${code}`).sort();
}

const codesLogged = (server: TestServer): string[] =>
  server
    .log()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { operation?: string; code?: string })
    .filter(({ code }) => code !== undefined)
    .map(({ operation, code }) => `${operation!.split('/').at(-1)} ${code}`)
    .sort();

it.each(Object.keys(protocols))('names the status of calls by %s, in metrics and in the log', async (protocol) => {
  const limits = { ...defaultLimits, maxMessageBytes: 1000 };
  const server = await serveForTest({ metricsPort: 0, service: { limits } });
  const { store } = server.service.dependencies;
  store.binary.summarize = () => Promise.reject(new StoreError('resource-exhausted', 'full'));
  store.datasets.list = () => Promise.reject(new Error('a defect'));
  store.tabular.page = () => Promise.reject(new StoreError('unavailable', 'locked'));
  const { id, secret } = server.service.keys.owner;
  const credentials = { type: 'api-key', payload: secret };
  const auth = createClient(AuthService, protocols[protocol]!(server.origin, []));
  const { accessToken } = await auth.authenticate({ entity: id, credentials });
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${accessToken}`);
    return next(request);
  };
  const data = createClient(DataService, protocols[protocol]!(server.origin, [authorize]));
  const stranger = createClient(DataService, protocols[protocol]!(server.origin, []));

  expect(await codeOf(data.binaryDataByFilter({ countOnly: true }))).toBe('ResourceExhausted');
  expect(await codeOf(stranger.tagsByFilter({}))).toBe('Unauthenticated');
  expect(await codeOf(data.binaryDataByIDs({ binaryDataIds: ['a/lab/none'] }))).toBe('NotFound');
  const large = { binaryDataIds: ['x'.repeat(limits.maxMessageBytes)] };
  expect(await codeOf(data.deleteBinaryDataByIDs(large))).toBe('ResourceExhausted'); // before any handler
  const rows = data.exportTabularData({ partId: 'lab-part', resourceName: 's', resourceSubtype: 't', methodName: 'm' });
  expect(await codeOf(collect(rows))).toBe('Unavailable'); // a stream
  await fetch(`${server.origin}${service}/NoSuchMethod`, { method: 'POST', body: '' });

  const ended = [
    'Authenticate OK',
    'BinaryDataByFilter RESOURCE_EXHAUSTED',
    'BinaryDataByIDs NOT_FOUND',
    'DeleteBinaryDataByIDs RESOURCE_EXHAUSTED',
    'ExportTabularData UNAVAILABLE',
    'TagsByFilter UNAUTHENTICATED',
    'unknown call UNIMPLEMENTED',
  ];
  await vi.waitFor(async () => expect(await endedCalls(server)).toEqual(ended));
  expect(codesLogged(server)).toEqual(ended);
});

it('names a call of which HTTP alone could be answered, and one that its client left', async () => {
  const server = await serveForTest({ metricsPort: 0 });
  await fetch(`${server.origin}${service}/TagsByFilter`, { method: 'POST', body: 'x' });
  await vi.waitFor(async () => expect(await endedCalls(server)).toEqual(['TagsByFilter UNKNOWN']));

  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  server.service.dependencies.store.access.getKey = () => {
    isAsked();
    return new Promise(() => {});
  };
  const leaving = new AbortController();
  const { id, secret } = server.service.keys.owner;
  const auth = createClient(AuthService, protocols['gRPC-Web']!(server.origin, []));
  const credentials = { type: 'api-key', payload: secret };
  const call = auth.authenticate({ entity: id, credentials }, { signal: leaving.signal });
  await asked;
  leaving.abort();
  expect(await codeOf(call)).toBe('Canceled');
  await vi.waitFor(async () => expect(await endedCalls(server)).toContain('Authenticate CANCELLED'));
});
