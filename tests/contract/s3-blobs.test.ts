import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Micros } from '../../src/data-service/ports/stored-captures.ts';
import { connectToS3, type S3Connection } from '../../src/platform/node/s3-blob-store/s3-connection.ts';
import { probeConditionalPuts } from '../../src/platform/node/s3-blob-store/probe-conditional-puts.ts';
import { s3BlobStore } from '../../src/platform/node/s3-blob-store/s3-blob-store.ts';
import { partBytes } from '../../src/platform/node/s3-blob-store/s3-put.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { readBlob } from '../read-blob.ts';
import { startVersitygw, versitygw, type TestS3 } from '../s3/versitygw.ts';
import { startFaultProxy, type Fault, type FaultProxy } from '../server/fault-proxy.ts';
import { describeBlobs, testClock } from './data-store/blobs.ts';
import type { StoreUnderTest } from './data-store/store-under-test.ts';

const never = new AbortController().signal;
const none: Fault = { kind: 'none' };
const patience = { connectMs: 1000, silenceMs: 400, attempts: 3 };

async function* content(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A part and a little. */
const long = new Uint8Array(partBytes + 5).map((_, n) => (n * 31) % 253);

describe.skipIf(versitygw === null)('blobs in S3 (skipped without versitygw)', () => {
  let s3: TestS3;
  let proxy: FaultProxy;
  /** what becomes of a request, named as "PUT part", "POST complete" */
  let fault: (request: string) => Fault;
  const requests: string[] = [];
  beforeAll(async () => {
    s3 = await startVersitygw();
    proxy = await startFaultProxy({
      upstreamPort: () => s3.port,
      nextFault: (path, method) => {
        const request = `${method} ${kindOf(path, method)}`;
        requests.push(request);
        return fault(request);
      },
    });
  });
  afterAll(async () => {
    await proxy.close();
    await s3.close();
  });

  let count = 0;
  let connection: S3Connection;
  let opened: StoreUnderTest;
  const failures: string[] = [];
  const connect = (endpoint: string | null, place: Partial<TestS3['place']> = {}): S3Connection =>
    connectToS3(
      { ...s3.place, endpoint, prefix: `test-${count}/`, ...place },
      { credentials: s3.credentials, onFailure: ({ message }) => failures.push(message), patience },
    );
  beforeEach(() => {
    count++;
    fault = () => none;
    requests.length = failures.length = 0;
    connection = connect(proxy.origin);
    opened = {
      store: { ...memoryDataStore(testClock), blobs: s3BlobStore(connection, testClock) },
      openAgain: null,
      setTime: async () => undefined,
      close: async () => connection.client.destroy(),
    };
  });
  afterEach(() => opened.close());

  describeBlobs(() => opened);

  const blobs = () => opened.store.blobs;
  /** `request` fares so the first times, and well from then on. */
  const first = (times: number, request: string, how: Fault): void => {
    let left = times;
    fault = (asked) => (asked === request && left-- > 0 ? how : none);
  };
  const listed = async (): Promise<string[]> => {
    const addresses: string[] = [];
    for await (const { address } of blobs().list()) addresses.push(address);
    return addresses;
  };
  const bytesOf = async (address: string): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readBlob(blobs(), address, null)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  const passing: readonly (readonly [string, string, Fault])[] = [
    ['a connection that is cut in the middle of a part', 'PUT part', { kind: 'cut-request', share: 0.5 }],
    ['a part that is answered with 500', 'PUT part', { kind: 'status', status: 500, retryAfter: null }],
    ['a part that is answered with 503', 'PUT part', { kind: 'status', status: 503, retryAfter: null }],
    ['a part whose answer is lost', 'PUT part', { kind: 'lose-answer' }],
    ['a part without an answer', 'PUT part', { kind: 'keep-answer' }],
    ['a beginning whose answer is lost', 'POST begin', { kind: 'lose-answer' }],
    ['a completion whose answer is lost', 'POST complete', { kind: 'lose-answer' }],
    ['a completion without an answer', 'POST complete', { kind: 'keep-answer' }],
    ['a completion that is answered with 500', 'POST complete', { kind: 'status', status: 500, retryAfter: null }],
  ];
  it.each(passing)('outlive %s', async (_, request, how) => {
    first(1, request, how);
    const { address, sizeBytes } = await blobs().put(content(long), never);
    expect(sizeBytes).toBe(long.length);
    expect((await bytesOf(address)).equals(long)).toBe(true);
    expect(requests).not.toContain('DELETE upload');
    expect(failures).toEqual([]);
  });

  it('know a file that is whole although every answer to its completion was lost', async () => {
    first(patience.attempts, 'POST complete', { kind: 'lose-answer' });
    const { address } = await blobs().put(content(long), never);
    expect((await bytesOf(address)).equals(long)).toBe(true);
  });

  it('abort an upload whose part does not get through', async () => {
    first(Infinity, 'PUT part', { kind: 'status', status: 503, retryAfter: null });
    await expect(blobs().put(content(long), never)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The bucket "sightglass" could not store a part of a file \(503.*again later/),
    });
    expect(requests).toContain('DELETE upload');
    expect(await listed()).toEqual([]);
    expect(failures).toEqual([expect.stringContaining(`It is s3://sightglass/test-${count}/ at http://127.0.0.1`)]);
  });

  it('abort an upload whose reader gives up, also in the middle of a part', async () => {
    const patience = new AbortController();
    const reason = new Error('cancelled');
    fault = (request) => {
      if (request === 'PUT part') patience.abort(reason);
      return none;
    };
    await expect(blobs().put(content(long), patience.signal)).rejects.toBe(reason);
    expect(requests.at(-1)).toBe('DELETE upload');
    expect(await listed()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('never abort what they asked to complete: it is listed by its age, and deleted without harm to a whole file', async () => {
    fault = (request) => (/complete|HEAD/.test(request) ? { kind: 'status', status: 503, retryAfter: null } : none);
    await expect(blobs().put(content(long), never)).rejects.toMatchObject({ code: 'unavailable' });
    expect(requests).not.toContain('DELETE upload');
    fault = () => none;
    const left: { address: string; timeStored: Micros }[] = [];
    for await (const blob of blobs().list()) left.push(blob);
    expect(left).toHaveLength(1);
    expect(testClock.now() - left[0]!.timeStored).toBeLessThan(60e6);
    expect(await blobs().open(left[0]!.address)).toBeNull();
    await blobs().delete(left[0]!.address);
    await blobs().delete(left[0]!.address);
    expect(await listed()).toEqual([]);
  });

  it('leave a completed upload alone when its unfinished address is deleted late', async () => {
    let unfinished = '';
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield long;
      [unfinished] = (await listed()) as [string];
    }
    const { address } = await blobs().put(slow(), never);
    await blobs().delete(unfinished);
    expect((await bytesOf(address)).length).toBe(long.length);
  });

  it.each([
    ['PUT object', Uint8Array.of(1, 2, 3)],
    ['PUT part', long],
  ])('refuse what was changed on its way, since its hash is signed: %s', async (changed, bytes) => {
    fault = (request) => (request === changed ? { kind: 'change-request' } : none);
    await expect(blobs().put(content(bytes), never)).rejects.toMatchObject({ code: 'unavailable' });
    fault = () => none;
    expect(await listed()).toEqual([]);
  });

  it('are read over a connection that is cut', async () => {
    const { address } = await blobs().put(content(long), never);
    const blob = (await blobs().open(address))!;
    const range = { start: 3 << 20, end: (3 << 20) + 9 };
    fault = (request) => (request === 'GET object' ? { kind: 'cut-answer' } : none);
    await expect(blob.read(range)).rejects.toMatchObject({ code: 'unavailable' });
    fault = () => none;
    expect([...(await blob.read(range))]).toEqual([...long.subarray(range.start, range.end)]);
    await blob.close();
  });

  it('say so when a file is deleted behind what was read of it', async () => {
    const { address } = await blobs().put(content(long), never);
    const blob = (await blobs().open(address))!;
    await blobs().delete(address);
    await expect(blob.read({ start: 4 << 20, end: 5 << 20 })).rejects.toMatchObject({ code: 'not-found' });
    await blob.close();
  });

  it("are as old as the store's clock says, whatever this host's says", async () => {
    await blobs().put(content(Uint8Array.of(1)), never);
    connection.client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const { headers } = result.response as { headers: Record<string, string> };
        headers['date'] = new Date(Date.parse(headers['date']!) + 200e3).toUTCString();
        return result;
      },
      { step: 'deserialize', priority: 'low' },
    );
    for await (const { timeStored } of blobs().list()) {
      expect(Math.abs(testClock.now() - timeStored - 200e6)).toBeLessThan(60e6);
    }
  });

  it('are listed beyond one page', async () => {
    const puts = Array.from({ length: 5 }, () => blobs().put(content(Uint8Array.of(1)), never));
    const stored = (await Promise.all(puts)).map(({ address }) => address);
    connection.client.middlewareStack.add(
      (next) => (args) => next({ ...args, input: 'Prefix' in args.input ? { ...args.input, MaxKeys: 2 } : args.input }),
      { step: 'initialize' },
    );
    expect((await listed()).sort()).toEqual(stored.sort());
    expect(requests.filter((request) => request === 'GET list')).toHaveLength(3);
  });

  it.each([
    [
      'another bucket',
      { bucket: 'missing' },
      /"missing" could not store a file \(404 NoSuchBucket\): there is no such/,
    ],
    ['an endpoint without a store', { endpoint: 'http://127.0.0.1:9' }, /\(ECONNREFUSED\): there was no answer/],
  ])('say in words what is wrong with %s', async (_, place, words) => {
    const other = connect(s3.place.endpoint, place);
    const put = s3BlobStore(other, testClock).put(content(Uint8Array.of(1)), never);
    await expect(put).rejects.toMatchObject({
      name: 'StoreError',
      code: 'unavailable',
      message: expect.stringMatching(words),
    });
    other.client.destroy();
  });

  it('say in words that the key is refused, and never the key', async () => {
    const credentials = { accessKeyId: 'test-key', secretAccessKey: 'another-secret' };
    const other = connectToS3(s3.place, { credentials, onFailure: ({ message }) => failures.push(message), patience });
    const put = s3BlobStore(other, testClock).put(content(Uint8Array.of(1)), never);
    const error = (await put.catch((reason: unknown) => reason)) as Error;
    expect(error.message).toMatch(/\(403 SignatureDoesNotMatch\): the key is refused/);
    expect(error.cause).toBeUndefined();
    for (const text of [JSON.stringify(error), ...failures]) expect(text).not.toMatch(/test-key|another-secret|AWS4/);
    other.client.destroy();
  });

  it('are probed: one of 32 who all want to be the first is it', async () => {
    expect(await probeConditionalPuts(connection)).toEqual({ winners: 1, asked: 32 });
    expect(requests.filter((request) => request === 'PUT object')).toHaveLength(32);
    expect(await listed()).toEqual([]);
  });
});

function kindOf(path: string, method: string): string {
  const asked = new URL(path, 'http://host').searchParams;
  if (asked.has('partNumber')) return 'part';
  if (asked.has('uploadId')) return method === 'POST' ? 'complete' : 'upload';
  if (asked.has('uploads')) return method === 'POST' ? 'begin' : 'list of uploads';
  return asked.has('list-type') ? 'list' : 'object';
}
