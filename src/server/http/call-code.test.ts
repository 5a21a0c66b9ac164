import { request } from 'node:http';
import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect, it, vi } from 'vitest';
import { defaultLimits } from '../../data-service/ports/dependencies.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { codeOf, collect } from '../../../tests/data-service-fixture.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { codeOfCall } from './call-code.ts';
import { logIn, serveForTest, type TestServer } from '../test-server.ts';

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
  await vi.waitFor(async () => expect(await endedCalls(server)).toEqual(['TagsByFilter INVALID_ARGUMENT']));

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

it('counts what is the client’s own mistake as such, and not among what the alarm watches', async () => {
  const server = await serveForTest({ metricsPort: 0, allowedHosts: new Set(['localhost']) });
  const { authorization } = await logIn(server);
  const ask = (method: string, headers: Record<string, string>, body = Buffer.from('{}')): Promise<number> =>
    new Promise((resolve, reject) => {
      const path = `${service}/${method}`;
      const sent = { authorization, 'content-type': 'application/json', ...headers };
      const { port } = server;
      const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers: sent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode!));
      });
      asked.once('error', reject).end(body);
    });
  expect(await ask('TagsByFilter', { host: 'evil.example' })).toBe(421);
  expect(await ask('BinaryDataByIDs', { host: '' })).toBe(400);
  expect(await ask('BinaryDataByFilter', { 'content-type': 'text/plain' })).toBe(415);
  const flagged = Buffer.from([1, 0, 0, 0, 2, 7, 7]);
  expect(await ask('DeleteTabularData', { 'content-type': 'application/grpc-web' }, flagged)).toBe(200);
  const gzip = { 'content-type': 'application/grpc-web', 'grpc-encoding': 'gzip' };
  expect(await ask('ListIndexes', gzip, flagged)).toBe(200);
  const half = Buffer.from([0, 0, 0, 0, 9, 7]);
  expect(await ask('CreateIndex', { 'content-type': 'application/grpc-web' }, half)).toBe(200);
  const ended = await endedCalls(server);
  expect(ended).toHaveLength(7);
  expect(ended.filter((call) => /INTERNAL|UNKNOWN|DATA_LOSS/.test(call))).toEqual([]);
});

it('takes a call for cancelled whose client left before HTTP had an answer, whatever the status would have been', () => {
  const left = { headersSent: false, statusCode: 404, writableEnded: false };
  expect(codeOfCall({ signal: null, onKey: () => undefined }, left as never)).toBe('CANCELLED');
  expect(codeOfCall({ signal: null, onKey: () => undefined }, { ...left, headersSent: true } as never)).toBe(
    'UNIMPLEMENTED',
  );
});
