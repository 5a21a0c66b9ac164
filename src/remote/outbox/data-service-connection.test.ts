import { Code, ConnectError, createRouterTransport, type Transport } from '@connectrpc/connect';
import { beforeEach, describe, expect, it } from 'vitest';
import { entryOf } from '../../../tests/contract/capture-entries.ts';
import { startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import type { ImageBox } from '../../evidence/capture/capture.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { DataSyncService } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { tokenFor } from './access-tokens.ts';
import { connectDataService } from './data-service-connection.ts';
import type { CaptureContent, ReadingsContent, UploadProgress } from './outbox-entry.ts';
import type { UploadConnection } from './upload-connection.ts';
import { UploadError } from './upload-error.ts';

const signal = new AbortController().signal;
const cat: ImageBox = {
  id: '1',
  label: 'cat',
  confidence: 0.5,
  xMinNormalized: 0.25,
  yMinNormalized: 0,
  xMaxNormalized: 1,
  yMaxNormalized: 0.5,
};
const drawn: ImageBox = { ...cat, id: '2', label: 'drawn', confidence: null };

function contentOf(changes: Partial<CaptureContent> = {}): CaptureContent {
  const { content } = entryOf('a');
  if (content.kind !== 'capture') throw new Error('Entries are captures.');
  const timeMs = 1_773_205_200_123.456;
  const named = { fileName: 'cat.jpg', mediaType: 'image/jpeg', componentName: 'camera' };
  return { ...content, ...named, timeRequestedMs: timeMs, timeReceivedMs: timeMs + 5, ...changes };
}
const rowsOf = (...timesMs: number[]): ReadingsContent => ({
  kind: 'readings',
  componentName: 'bench',
  tags: ['warm'],
  rows: timesMs.map((timeMs) => ({ timeRequestedMs: timeMs, timeReceivedMs: timeMs + 1, readings: { cups: 2 } })),
});

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

interface Call {
  readonly method: string;
  readonly header: Headers;
  readonly timeoutMs: number | undefined;
}

/** A way to the service that says what it was called, and how. */
function watched(inner: Transport) {
  const calls: Call[] = [];
  const note = (method: { readonly name: string }, timeoutMs: number | undefined, header: HeadersInit | undefined) =>
    calls.push({ method: method.name, header: new Headers(header), timeoutMs });
  const transport: Transport = {
    unary(method, aborted, timeoutMs, header, ...rest) {
      note(method, timeoutMs, header);
      return inner.unary(method, aborted, timeoutMs, header, ...rest);
    },
    stream(method, aborted, timeoutMs, header, ...rest) {
      note(method, timeoutMs, header);
      return inner.stream(method, aborted, timeoutMs, header, ...rest);
    },
  };
  return { calls, transport };
}

function connect(streams: boolean) {
  const { transport, calls } = watched(service.transport);
  const { id, secret } = service.keys.owner;
  const progress: UploadProgress[] = [];
  const connection = connectDataService({
    transport: () => transport,
    streams,
    partId: 'lab-part',
    redact: (message) => message,
    authorize: tokenFor(() => transport, id, secret),
  });
  const options = (uploadId: string) => ({
    uploadId,
    signal,
    onProgress: (told: UploadProgress) => progress.push(told),
  });
  const uploaded = (content: CaptureContent, bytes = 'pixels', uploadId = 'u') =>
    connection.uploadCapture(content, new Blob([bytes]), options(uploadId));
  const upload = async (...call: Parameters<typeof uploaded>) => (await uploaded(...call)).serverId;
  return { connection, calls, progress, options, upload, uploaded };
}

describe.each([
  ['in pieces', true],
  ['in one call', false],
])('a frame that is sent %s', (_, streams) => {
  it('is stored with all that is known of it', async () => {
    const { upload } = connect(streams);
    const { id: datasetId } = await service.owner.datasets.createDataset({ organizationId: 'a', name: 'd' });
    const classes = [
      { id: '3', label: 'indoors', confidence: 0.75 },
      { id: '4', label: 'calm', confidence: null },
    ];
    const id = await upload(contentOf({ tags: ['x'], datasetIds: [datasetId], boxes: [cat, drawn], classes }));
    const { data } = await service.owner.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true });
    const [{ binary, metadata }] = data as [(typeof data)[number]];
    expect(new TextDecoder().decode(binary)).toBe('pixels');
    expect(metadata).toMatchObject({
      fileName: 'cat.jpg',
      fileExt: '.jpg',
      datasetIds: [datasetId],
      timeRequested: { seconds: 1_773_205_200n, nanos: 123_456_000 },
      timeReceived: { seconds: 1_773_205_200n, nanos: 128_456_000 },
      captureMetadata: {
        partId: 'lab-part',
        componentType: 'rdk:component:camera',
        componentName: 'camera',
        methodName: 'ReadImage',
        tags: expect.arrayContaining(['x']),
        mimeType: 'image/jpeg',
      },
    });
    const annotations = metadata!.annotations!;
    expect(annotations.bboxes.map(({ label, confidence }) => [label, confidence])).toEqual([
      ['cat', 0.5],
      ['drawn', undefined],
    ]);
    expect(annotations.classifications.map(({ label, confidence }) => [label, confidence])).toEqual([
      ['indoors', 0.75],
      ['calm', undefined],
    ]);
  });

  it('is stored once under one upload id', async () => {
    const { upload } = connect(streams);
    const [first, again, other] = [
      await upload(contentOf(), 'pixels', 'u'),
      await upload(contentOf(), 'pixels', 'u'),
      await upload(contentOf(), 'pixels', 'v'),
    ];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('is whole where this call stored it, and not where an earlier one had', async () => {
    const { uploaded } = connect(streams);
    const [first, again] = [await uploaded(contentOf()), await uploaded(contentOf())];
    expect([first, again]).toEqual([
      { serverId: first.serverId, isWhole: true },
      { serverId: first.serverId, isWhole: false },
    ]);
  });

  it('is not said to be whole by a host that does not say so', async () => {
    const answer = { fileId: 'f', binaryDataId: 'b' };
    const transport = createRouterTransport(({ service: host }) =>
      host(DataSyncService, { dataCaptureUpload: () => answer, streamingDataCaptureUpload: async () => answer }),
    );
    const way = { transport: () => transport, streams, partId: 'p', redact: (message: string) => message };
    const { uploadCapture } = connectDataService({ ...way, authorize: null });
    const options = { uploadId: 'u', signal, onProgress: () => undefined };
    expect(await uploadCapture(contentOf(), new Blob(['x']), options)).toEqual({ serverId: 'b', isWhole: false });
  });

  it('has the longer to be answered the larger it is', async () => {
    const { upload, calls } = connect(streams);
    await upload(contentOf(), 'p'.repeat(1600));
    const { header, timeoutMs } = calls.find(({ method }) => method.endsWith('CaptureUpload'))!;
    expect(timeoutMs).toBe(60_100);
    expect([header.get('x-upload-id'), header.get('authorization')]).toEqual(['u', expect.stringMatching(/^Bearer ./)]);
  });
});

it('tells after each piece how much of a frame is sent', async () => {
  const { upload, progress } = connect(true);
  await upload(contentOf(), 'p'.repeat(2 ** 20 + 5));
  const totalBytes = 2 ** 20 + 5;
  expect(progress).toEqual([2 ** 20, totalBytes].map((sentBytes) => ({ sentBytes, totalBytes })));
});

it.each([
  ['cat.jpg', '.jpg'],
  ['cat', ''],
  ['archive.tar.gz', '.gz'],
  ['a.name with a dot', ''],
  [`a.${'x'.repeat(17)}`, ''],
])('stores %s under the extension "%s"', async (fileName, extension) => {
  const id = await connect(false).upload(contentOf({ fileName }));
  const { data } = await service.owner.data.binaryDataByIDs({ binaryDataIds: [id] });
  expect(data[0]!.metadata!.fileExt).toBe(extension);
});

describe('what is stored', () => {
  const parts = async (connection: UploadConnection, id: string) => (await connection.read(id, signal))!;

  it('is read, added to and taken back', async () => {
    const { connection, upload } = connect(false);
    const datasetId = (await service.owner.datasets.createDataset({ organizationId: 'a', name: 'd' })).id;
    const id = await upload(contentOf({ classes: [{ id: '3', label: 'calm', confidence: null }] }));
    expect(await parts(connection, id)).toEqual({
      tags: [],
      datasetIds: [],
      boxes: [],
      sizeBytes: 6,
      classes: [{ id: '3', label: 'calm', confidence: null }],
    });
    await connection.addTags(id, ['x'], signal);
    await connection.addToDataset(id, datasetId, signal);
    for (const box of [cat, drawn]) await connection.addBox(id, box, signal);
    const full = await parts(connection, id);
    expect(full).toMatchObject({ tags: expect.arrayContaining(['x']), datasetIds: [datasetId] });
    expect(full.boxes.map((box) => ({ ...box, id: '' }))).toEqual([cat, drawn].map((box) => ({ ...box, id: '' })));
    await connection.removeBox(id, full.boxes[0]!.id, signal);
    expect((await parts(connection, id)).boxes.map(({ label }) => label)).toEqual(['drawn']);
  });

  it('is nothing under an id once it is deleted, which is no failure', async () => {
    const { connection, upload } = connect(false);
    const id = await upload(contentOf());
    await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
    expect(await connection.read(id, signal)).toBeNull();
  });

  it('is read of several at once, where one is gone too', async () => {
    const { connection, upload } = connect(false);
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4])
      ids.push(await upload(contentOf({ tags: [`${number}`] }), 'pixels', `u${number}`));
    await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [ids[2]!] });
    const stored = await Promise.all(ids.map((id) => connection.read(id, signal)));
    expect(stored.map((one) => one?.tags ?? null)).toEqual([['1'], ['2'], null, ['4']]);
  });

  it('is told apart by its id where a host answers in an order of its own', async () => {
    const transport = createRouterTransport(({ service: host }) =>
      host(DataService, {
        binaryDataByIDs: ({ binaryDataIds }) => ({
          data: binaryDataIds.toReversed().map((id) => ({ metadata: { id, captureMetadata: { tags: [id] } } })),
        }),
      }),
    );
    const way = { transport: () => transport, streams: false, partId: 'p', redact: (message: string) => message };
    const connection = connectDataService({ ...way, authorize: null });
    const stored = await Promise.all(['a', 'b', 'c'].map((id) => connection.read(id, signal)));
    expect(stored.map((one) => one?.tags)).toEqual([['a'], ['b'], ['c']]);
  });

  it('is the host’s only answer, whatever id that has, and none of two where one id is another', async () => {
    const transport = createRouterTransport(({ service: host }) =>
      host(DataService, {
        binaryDataByIDs: ({ binaryDataIds }) => ({
          data: binaryDataIds.map((id) => ({ metadata: { id: `new form of ${id}`, captureMetadata: { tags: [id] } } })),
        }),
      }),
    );
    const way = { transport: () => transport, streams: false, partId: 'p', redact: (message: string) => message };
    const connection = connectDataService({ ...way, authorize: null });
    expect((await connection.read('a', signal))?.tags).toEqual(['a']);
    const stored = await Promise.all(['a', 'b', 'c'].map((id) => connection.read(id, signal)));
    expect(stored.map((one) => one?.tags)).toEqual([['a'], ['b'], ['c']]); // b and c are asked for once more, alone
  });

  it('is found again by its component, its time to the microsecond, and its size', async () => {
    const { connection, upload } = connect(false);
    const content = contentOf();
    const id = await upload(content);
    const find = (changes: Partial<CaptureContent>, sizeBytes = 6) =>
      connection.find({ ...content, ...changes }, sizeBytes, signal);
    expect(await find({})).toBe(id);
    expect(await find({ timeRequestedMs: content.timeRequestedMs + 0.001 })).toBeNull();
    expect(await find({ timeRequestedMs: content.timeRequestedMs - 0.001 })).toBeNull();
    expect(await find({ componentName: 'other' })).toBeNull();
    expect(await find({}, 7)).toBeNull();
  });

  it('are rows, each at its time, found again by the first of them', async () => {
    const { connection, options, calls } = connect(false);
    await connection.uploadReadings(rowsOf(1000, 2000), options('u'));
    await connection.uploadReadings(rowsOf(1000, 2000), options('u'));
    const stored = await service.owner.data.tabularDataByFilter({ dataRequest: { filter: {} } });
    expect(stored.data.map(({ data }) => data)).toEqual(Array(2).fill({ readings: { cups: 2 } }));
    expect(stored.metadata[0]).toMatchObject({ componentName: 'bench', methodName: 'Readings', tags: ['warm'] });
    const has = (content: ReadingsContent) => connection.hasReadings(content, signal);
    expect([
      await has(rowsOf(1000)),
      await has(rowsOf(2000, 1000)),
      await has(rowsOf(3000)),
      await has(rowsOf()),
    ]).toEqual([true, true, false, true]);
    expect(await has({ ...rowsOf(1000), componentName: 'other' })).toBe(false);
    expect(calls.find(({ method }) => method === 'DataCaptureUpload')!.header.get('x-upload-id')).toBe('u');
  });
});

describe('a call that fails', () => {
  const failing = (error: unknown, redact = (message: string) => message) => {
    const reject = async () => {
      throw error;
    };
    const transport = { unary: reject, stream: reject } as Transport;
    return connectDataService({ transport: () => transport, streams: false, partId: 'p', authorize: null, redact });
  };

  it('says why in the words of the outbox, without what must not be told', async () => {
    const connection = failing(new ConnectError('No key s3cret.', Code.PermissionDenied), (message) =>
      message.replace('s3cret', '[key]'),
    );
    const call = connection.addTags('id', ['x'], signal);
    await expect(call).rejects.toBeInstanceOf(UploadError);
    await expect(call).rejects.toMatchObject({
      code: 'permission-denied',
      message: 'The key may not do this: No key [key].',
    });
    await expect(connection.read('id', signal)).rejects.toMatchObject({ code: 'permission-denied' });
  });

  it('needs no token where a host asks for none', async () => {
    const { transport, calls } = watched(service.transport);
    const way = { transport: () => transport, streams: false, partId: 'p', redact: (message: string) => message };
    const call = connectDataService({ ...way, authorize: null }).addTags('id', ['x'], signal);
    await expect(call).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(calls.map(({ header }) => header.get('authorization'))).toEqual([null]);
  });
});
