import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { compressionBrotli, compressionGzip, createGrpcTransport } from '@connectrpc/connect-node';
import { describe, expect, it } from 'vitest';
import { maxJsonBytes } from '../../data-service/wire/decode-json.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { DataSyncService, DataType } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { CallMemory } from './call-memory.ts';
import { serveForTest, type TestServer } from '../test-server.ts';

const mebibyte = 2 ** 20;
const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A call from an address that does something, and its response, to be closed. */
function call<Done>(memory: CallMemory, address: string, work: () => Promise<Done>, contentType = 'application/proto') {
  const request = new IncomingMessage(new Socket());
  request.headers['content-type'] = contentType;
  const response = new ServerResponse(request);
  let done!: Promise<Done>;
  void memory.run(address, request, response, () => {
    done = work();
  });
  done.catch(() => undefined);
  return { done, close: () => response.emit('close') };
}

describe('the memory of calls', () => {
  const [gzip, brotli] = new CallMemory().compressions;

  it.each([
    ['gzip', gzip!, gzipSync],
    ['br', brotli!, brotliCompressSync],
  ])('packs and unpacks by %s', async (name, compression, pack) => {
    const message = bytesOf(Buffer.from('a message '.repeat(10_000)));
    expect(compression.name).toBe(name);
    expect(await compression.decompress(await compression.compress(message), 1e6)).toEqual(message);
    expect(await compression.decompress(bytesOf(Buffer.of()), 1e6)).toEqual(new Uint8Array());
    const packed = bytesOf(pack(message));
    expect(await compression.decompress(packed, message.length)).toEqual(message);
    await expect(compression.decompress(packed, message.length - 1)).rejects.toThrow(
      'message is larger than configured readMaxBytes 99999 after decompression',
    );
    await expect(compression.decompress(packed.slice(0, packed.length >> 1), 1e6)).rejects.toThrow(
      'The message cannot be unpacked',
    );
    await expect(compression.decompress(bytesOf(Buffer.from('no such thing')), 1e6)).rejects.toThrow(
      '[invalid_argument]',
    );
  });

  it('is what a message takes, from before it is unpacked until the response has closed', async () => {
    const memory = new CallMemory();
    const packed = bytesOf(gzipSync(Buffer.alloc(mebibyte)));
    const one = call(memory, 'a', () => memory.compressions[0]!.decompress(packed, 64 * mebibyte));
    expect(memory.inflated.total).toBe(packed.length * 1032);
    await one.done;
    expect(memory.inflated.total).toBe(mebibyte);
    one.close();
    expect(memory.inflated.total).toBe(0);
  });

  it('is given back by a message that is refused, and by one that another follows', async () => {
    const memory = new CallMemory();
    const packed = bytesOf(gzipSync(Buffer.alloc(mebibyte)));
    const bomb = call(memory, 'a', () => memory.compressions[0]!.decompress(packed, 1000));
    await expect(bomb.done).rejects.toThrow('message is larger');
    expect(memory.inflated.total).toBe(0);
    const stream = call(memory, 'a', async () => {
      for (let message = 0; message < 3; message++) await memory.compressions[0]!.decompress(packed, 64 * mebibyte);
    });
    await stream.done;
    expect(memory.inflated.total).toBe(mebibyte);
  });

  it.each(['application/json', 'application/grpc-web+json', 'application/connect+json; charset=utf-8'])(
    'unpacks no more of %s than is read of it, and counts what reading takes',
    async (contentType) => {
      const memory = new CallMemory();
      const unpack = (bytes: number) => {
        const packed = bytesOf(gzipSync(Buffer.alloc(bytes, 0x20)));
        const work = () => memory.compressions[0]!.decompress(packed, 64 * mebibyte);
        return call(memory, 'a', work, contentType);
      };
      const read = unpack(maxJsonBytes);
      expect(await read.done).toHaveLength(maxJsonBytes);
      expect(memory.inflated.total).toBe(4 * maxJsonBytes);
      read.close();
      await expect(unpack(maxJsonBytes + 1).done).rejects.toThrow(`readMaxBytes ${maxJsonBytes}`);
    },
  );

  it('has room for two large bombs at once, one of them of one client', async () => {
    const memory = new CallMemory();
    const packed = bytesOf(gzipSync(Buffer.alloc(65 * mebibyte)));
    const bombs = ['a', 'a', 'a', 'b', 'c'].map((address) =>
      call(memory, address, () => memory.compressions[0]!.decompress(packed, 64 * mebibyte)),
    );
    expect([memory.inflated.total, memory.inflated.waiting]).toEqual([128 * mebibyte, 3]);
    await Promise.allSettled(bombs.map(({ done }) => done));
    expect([memory.inflated.total, memory.inflated.waiting]).toEqual([0, 0]);
  });

  it('is what the files of an answer take', async () => {
    const memory = new CallMemory();
    const calls = ['a', 'a', 'a', 'a', 'b'].map((address) =>
      call(memory, address, () => memory.holdAnswer(30 * mebibyte)),
    );
    await settled();
    expect([memory.answers.total, memory.answers.waiting]).toEqual([120 * mebibyte, 1]);
    calls[0]!.close();
    await calls[3]!.done;
    for (const { close } of calls) close();
    expect([memory.answers.total, memory.answers.waiting]).toEqual([0, 0]);
  });
});

/** A client's transport to a server, logged in. */
async function logIn({ origin, service }: TestServer, options: { readonly compression?: typeof compressionGzip } = {}) {
  const { id, secret } = service.keys.owner;
  const { compression } = options;
  const packing = compression && {
    sendCompression: compression,
    acceptCompression: [compression],
    compressMinBytes: 0,
  };
  const anonymous = createClient(AuthService, createGrpcTransport({ baseUrl: origin, ...packing }));
  const credentials = { type: 'api-key', payload: secret };
  const { accessToken } = await anonymous.authenticate({ entity: id, credentials });
  const authorization = `Bearer ${accessToken}`;
  const withToken: Interceptor = (next) => (request) => {
    request.header.set('authorization', authorization);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl: origin, ...packing, interceptors: [withToken] });
  return { sync: createClient(DataSyncService, transport), data: createClient(DataService, transport) };
}

const uploadOf = (value: Uint8Array<ArrayBuffer>) => ({
  metadata: { partId: 'lab-part', type: DataType.BINARY_SENSOR, fileExtension: '.bin' },
  sensorContents: [{ data: { case: 'binary' as const, value } }],
});

it.each([compressionGzip, compressionBrotli])(
  'a server takes and gives messages packed by $name',
  async (compression) => {
    const server = await serveForTest();
    const { sync, data } = await logIn(server, { compression });
    const value = Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) >> 4);
    const { binaryDataId } = await sync.dataCaptureUpload(uploadOf(value));
    const { data: found } = await data.binaryDataByIDs({ binaryDataIds: [binaryDataId], includeBinary: true });
    expect(Buffer.compare(found[0]!.binary, value)).toBe(0);
    const page = await data.binaryDataByFilter({ dataRequest: {}, includeBinary: true });
    expect(Buffer.compare(page.data[0]!.binary, value)).toBe(0);
    expect(server.service.defects).toEqual([]);
  },
);
