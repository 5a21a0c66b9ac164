import { create, type DescMethodUnary, type UnknownField } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { describe, expect, it } from 'vitest';
import { maxJsonBytes } from '../../data-service/wire/decode-json.ts';
import { DataSyncService } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { serveForTest, type TestServer } from '../test-server.ts';

const transports: readonly [string, (baseUrl: string) => Transport][] = [
  ['gRPC', (baseUrl) => createGrpcTransport({ baseUrl })],
  ['gRPC-Web', (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: '1.1' })],
  ['Connect', (baseUrl) => createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: true })],
];

/** A field of messages: its bytes, and their length before them. */
const field = (no: number, bytes: readonly number[]): UnknownField => ({
  no,
  wireType: WireType.LengthDelimited,
  data: Uint8Array.from(prefixed(bytes)),
});
const prefixed = (bytes: readonly number[]): number[] => [(bytes.length & 0x7f) | 0x80, bytes.length >> 7, ...bytes];
const tagOf = (no: number): number => (no << 3) | WireType.LengthDelimited;

/** A reading whose value is lists in lists, as deep as asked. */
function nested(depth: number): UnknownField {
  let value: number[] = [];
  for (let level = 0; level < depth; level++) value = [tagOf(6), ...prefixed([tagOf(1), ...prefixed(value)])];
  const entry = [tagOf(2), ...prefixed(value)];
  return field(2, [tagOf(2), ...prefixed([tagOf(1), ...prefixed(entry)])]);
}

async function authorize({ origin, service }: TestServer): Promise<Record<string, string>> {
  const { id, secret } = service.keys.owner;
  const auth = createClient(AuthService, createGrpcTransport({ baseUrl: origin }));
  const { accessToken } = await auth.authenticate({ entity: id, credentials: { type: 'api-key', payload: secret } });
  return { authorization: `Bearer ${accessToken}` };
}

describe.each(transports)('a message in protobuf by %s', (_, transportTo) => {
  it.each([
    ['that is garbage', field(1, [7, 7]), 'is not a viam.app.datasync.v1.DataCaptureUploadRequest in protobuf'],
    ['that is nested too deep', nested(60), 'maximum recursion depth'],
  ])('%s is its sender’s mistake', async (__, garbage, words) => {
    const server = await serveForTest();
    // any message can carry the fields of another as unknown ones
    const method: DescMethodUnary = { ...DataSyncService.method.dataCaptureUpload, input: EmptySchema };
    const message = Object.assign(create(EmptySchema), { $unknown: [garbage] });
    const call = transportTo(server.origin).unary(method, undefined, undefined, await authorize(server), message);
    const error = ConnectError.from(await call.catch((reason: unknown) => reason));
    expect(error).toMatchObject({ code: Code.InvalidArgument });
    expect(error.rawMessage).toContain(words);
    expect(server.service.defects).toEqual([]);
    await server.close();
    expect(server.log()).toContain('"code":"INVALID_ARGUMENT"');
  });
});

describe('a message in JSON', () => {
  const upload = async (body: string | Uint8Array<ArrayBuffer>) => {
    const server = await serveForTest();
    const headers = { ...(await authorize(server)), 'content-type': 'application/json' };
    const path = 'viam.app.datasync.v1.DataSyncService/DataCaptureUpload';
    const response = await fetch(`${server.origin}/${path}`, { method: 'POST', headers, body });
    const { code, message } = (await response.json()) as { readonly code: string; readonly message: string };
    expect(server.service.defects).toEqual([]);
    return { status: response.status, code, message };
  };
  const padded = (bytes: number): string => `{${' '.repeat(bytes - 2)}}`;

  it.each([
    ['no JSON', '{"metadata": garbage', 'is not a viam.app.datasync.v1.DataCaptureUploadRequest in JSON'],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'not UTF-8 text'],
    ['nested too deep', `{"sensorContents":[{"struct":{"a":${'['.repeat(500)}${']'.repeat(500)}}}]}`, 'depth'],
  ])('that is %s is its sender’s mistake', async (_, body, words) => {
    const answer = await upload(body);
    expect(answer).toMatchObject({ status: 400, code: 'invalid_argument' });
    expect(answer.message).toContain(words);
  });

  it('is quoted only in part', async () => {
    const { status, message } = await upload(`{"sensorContents":"${'x'.repeat(100_000)}"}`);
    expect(status).toBe(400);
    expect(message.length).toBeLessThan(700);
  });

  it('is read up to its limit, and not beyond', async () => {
    expect(await upload(padded(maxJsonBytes))).toMatchObject({ status: 400, code: 'invalid_argument' });
    const answer = await upload(padded(maxJsonBytes + 1));
    expect(answer).toMatchObject({ status: 429, code: 'resource_exhausted' });
    expect(answer.message).toContain('A message in JSON may have 16 MiB');
  });
});
