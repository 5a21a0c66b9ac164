import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { create, type DescMethodUnary } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { describe, expect, it } from 'vitest';
import { maxMessageParts, partBytes } from '../../data-service/wire/message-parts.ts';
import { DataCaptureUploadRequestSchema, DataSyncService } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { CallMemory } from './call-memory.ts';
import { countingParts } from './count-parts.ts';
import { logIn, serveForTest } from '../test-server.ts';

const contents = DataCaptureUploadRequestSchema.field.sensorContents.number;
const tag = (contents << 3) | WireType.LengthDelimited;
/** So many empty messages in one, of two bytes each. */
const empties = (count: number) => new Uint8Array(2 * count).map((_, at) => (at % 2 === 0 ? tag : 0));

type MakeTransport = (baseUrl: string, packing: object) => Transport;
const transports: readonly [string, MakeTransport][] = [
  ['gRPC', (baseUrl, packing) => createGrpcTransport({ baseUrl, ...packing })],
  ['gRPC-Web', (baseUrl, packing) => createGrpcWebTransport({ baseUrl, httpVersion: '1.1', ...packing })],
  ['Connect', (baseUrl, packing) => createConnectTransport({ baseUrl, httpVersion: '2', useBinaryFormat: true, ...packing })], // prettier-ignore
];

describe.each(transports)('a message of very many parts by %s', (_, makeTransport) => {
  it.each([
    ['', {}],
    [', compressed', { sendCompression: compressionGzip, compressMinBytes: 0 }],
  ])('is refused before it is read%s', async (_packed, packing) => {
    const server = await serveForTest();
    const method: DescMethodUnary = { ...DataSyncService.method.dataCaptureUpload, input: EmptySchema };
    const send = async (count: number): Promise<ConnectError> => {
      // an unknown field is written as it is: the length of the first part, then the others
      const data = empties(count).subarray(1);
      const field = { no: contents, wireType: WireType.LengthDelimited, data };
      const message = Object.assign(create(EmptySchema), { $unknown: [field] });
      const call = makeTransport(server.origin, packing).unary(method, undefined, undefined, headers, message);
      return ConnectError.from(await call.catch((error: unknown) => error));
    };
    const headers = await logIn(server);
    expect(await send(1000)).toMatchObject({ code: Code.InvalidArgument }); // the message was read, and has no fields that the call needs
    const refused = await send(maxMessageParts + 1);
    expect(refused).toMatchObject({ code: Code.ResourceExhausted });
    expect(refused.rawMessage).toContain('A message may have 500,000 fields');
    expect(server.service.defects).toEqual([]);
  });
});

it('a message of very many parts in JSON is refused before it is read', async () => {
  const server = await serveForTest();
  const body = `{"sensorContents":[${'{},'.repeat(maxMessageParts / 2)}{}]}`;
  const answer = await fetch(`${server.origin}/viam.app.datasync.v1.DataSyncService/DataCaptureUpload`, {
    method: 'POST',
    headers: { ...(await logIn(server)), 'content-type': 'application/json' },
    body,
  });
  expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
    429,
    expect.stringContaining('A message may have 500,000 fields'),
  ]);
});

describe('what a message makes', () => {
  /** Has a handler take a message's body, and returns what is held for it then, and after its response has closed. */
  async function heldFor(contentType: string, body: readonly Uint8Array[], headers: Record<string, string> = {}) {
    const memory = new CallMemory();
    const request = new IncomingMessage(new Socket());
    request.headers['content-type'] = contentType;
    const response = new ServerResponse(request);
    const handler = Object.assign(
      async ({ body: counted }: { body: AsyncIterable<Uint8Array<ArrayBuffer>> }) => {
        const chunks: Uint8Array<ArrayBuffer>[] = [];
        for await (const chunk of counted) chunks.push(chunk);
        if (headers['content-encoding']) await memory.compressions[0]!.decompress(chunks[0]!, 1e9);
      },
      { method: DataSyncService.method.dataCaptureUpload },
    ) as unknown as UniversalHandler;
    const header = new Headers({ 'content-type': contentType, ...headers });
    const sent = (async function* () {
      yield* body;
    })();
    let taken: Promise<unknown> = Promise.resolve();
    void memory.run('a', request, response, () => {
      taken = countingParts(handler, memory)({ header, body: sent } as never);
    });
    await taken;
    const held = memory.inflated.total;
    response.emit('close');
    return [held, memory.inflated.total];
  }
  const enveloped = (message: Uint8Array, flags = 0) => {
    const head = new Uint8Array(5);
    new DataView(head.buffer).setUint32(1, message.length);
    head[0] = flags;
    return Buffer.concat([head, message]);
  };
  const parts = 100_000;

  it('is held until its response has closed', async () => {
    const message = empties(parts);
    expect(await heldFor('application/proto', [message])).toEqual([parts * partBytes, 0]);
    const cut = [
      enveloped(message).subarray(0, 3),
      enveloped(message).subarray(3, 1000),
      enveloped(message).subarray(1000),
    ];
    expect(await heldFor('application/grpc', cut)).toEqual([parts * partBytes, 0]);
    expect(await heldFor('application/connect+proto', cut)).toEqual([parts * partBytes, 0]);
    const packed = gzipSync(message);
    expect(await heldFor('application/proto', [packed], { 'content-encoding': 'gzip' })).toEqual([
      parts * partBytes + message.length,
      0,
    ]);
  });

  it('is little for the messages of everyday, of a stream, and nothing for the bytes of a file', async () => {
    expect(await heldFor('application/proto', [empties(1000)])).toEqual([0, 0]);
    const stream = Array.from({ length: 200 }, () => enveloped(empties(1000)));
    expect(await heldFor('application/grpc+proto', stream)).toEqual([0, 0]);
    const file = Uint8Array.from([(3 << 3) | 2, 0x80, 0x80, 0x04, ...new Uint8Array(0x10000)]);
    const inner = Uint8Array.from([tag, (file.length & 0x7f) | 0x80, ((file.length >> 7) & 0x7f) | 0x80, file.length >> 14, ...file]); // prettier-ignore
    expect(await heldFor('application/grpc', [enveloped(inner)])).toEqual([0, 0]);
    // the parts of JSON are counted where it is read; compressed ones as they are unpacked
    expect(await heldFor('application/grpc+json', [enveloped(empties(parts))])).toEqual([0, 0]);
    expect(await heldFor('application/grpc', [enveloped(empties(parts), 1)])).toEqual([0, 0]);
  });
});
