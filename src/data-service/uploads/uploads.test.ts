import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { anyPack, StructSchema, timestampFromMs, ValueSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { collect, codeOf, startDataService, startTime, type Clients } from '../../../tests/data-service-fixture.ts';
import type {
  FileUploadRequestSchema,
  StreamingDataCaptureUploadRequestSchema,
} from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { DataType, MimeType } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { StoreError } from '../ports/store-error.ts';

const picture = { partId: 'lab-part', type: DataType.BINARY_SENSOR, componentName: 'cam', fileExtension: '.png' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
async function* streamOf<Message>(messages: readonly Message[]): AsyncGenerator<Message, void> {
  yield* messages;
}
const fileStream = (...messages: MessageInitShape<typeof FileUploadRequestSchema>[]) => streamOf(messages);
const captureStream = (...messages: MessageInitShape<typeof StreamingDataCaptureUploadRequestSchema>[]) =>
  streamOf(messages);
const metadataPacket = (metadata: object) => ({ uploadPacket: { case: 'metadata' as const, value: metadata } });
const contentPacket = (text: string) => ({
  uploadPacket: { case: 'fileContents' as const, value: { data: bytes(text) } },
});
const dataPacket = (text: string) => ({ uploadPacket: { case: 'data' as const, value: bytes(text) } });

async function stored({ data }: Clients) {
  const { data: all } = await data.binaryDataByFilter({ includeBinary: true });
  return all.map(({ binary, metadata }) => ({ text: new TextDecoder().decode(binary), metadata: metadata! }));
}

describe('DataCaptureUpload of binary data', () => {
  it('stores a picture whole and tells both ids', async () => {
    const { owner } = await startDataService();
    const answer = await owner.sync.dataCaptureUpload({
      metadata: { ...picture, componentType: 'rdk:component:camera', methodName: 'ReadImage', tags: ['day', 'day'] },
      sensorContents: [
        {
          metadata: { timeRequested: timestampFromMs(1_000), timeReceived: timestampFromMs(2_000) },
          data: { case: 'binary', value: bytes('pixels') },
        },
      ],
    });
    expect(answer.binaryDataId).toBe(`a/lab/${answer.fileId}`);
    const [file] = await stored(owner);
    expect(file).toMatchObject({
      text: 'pixels',
      metadata: {
        id: answer.fileId,
        binaryDataId: answer.binaryDataId,
        fileName: `${answer.fileId}.png`,
        fileExt: '.png',
        fileSizeBytes: 6n,
        timeRequested: { seconds: 1n },
        timeReceived: { seconds: 2n },
        uri: `https://data.example/data/files/a/lab/${answer.fileId}`,
        captureMetadata: {
          ...{ organizationId: 'a', locationId: 'lab', partId: 'lab-part', partName: 'lab main' },
          ...{ robotId: 'lab-robot', robotName: 'lab robot', componentType: 'rdk:component:camera' },
          ...{ componentName: 'cam', methodName: 'ReadImage', mimeType: 'image/png', tags: ['day'] },
        },
      },
    });
  });

  it.each([
    ['an explicit type', { fileExtension: '.png', mimeType: 'image/webp' }, undefined, 'image/webp', '.png'],
    ['the deprecated type', { fileExtension: '.bin' }, MimeType.VIDEO_MP4, 'video/mp4', '.bin'],
    ['an extension without its dot', { fileExtension: 'JPG' }, undefined, 'image/jpeg', '.jpg'],
    ['.jpeg', { fileExtension: '.jpeg' }, undefined, 'image/jpeg', '.jpeg'],
    ['.pcd', { fileExtension: '.pcd' }, undefined, 'pointcloud/pcd', '.pcd'],
    ['.mp3', { fileExtension: '.mp3' }, undefined, 'audio/mpeg', '.mp3'],
    ['.wav', { fileExtension: '.wav' }, undefined, 'audio/wav', '.wav'],
    ['.dep', { fileExtension: '.dep' }, undefined, 'image/vnd.viam.dep', '.dep'],
    ['.rgba', { fileExtension: '.rgba' }, undefined, 'image/vnd.viam.rgba', '.rgba'],
    ['the name of the file', { fileExtension: '', fileName: 'clips/a.MP4' }, undefined, 'video/mp4', '.mp4'],
    ['nothing known', { fileExtension: '' }, undefined, 'application/octet-stream', ''],
  ])('takes the media type from %s', async (_, metadata, mimeType, expected, extension) => {
    const { owner } = await startDataService();
    await owner.sync.dataCaptureUpload({
      metadata: { ...picture, ...metadata },
      sensorContents: [
        { metadata: mimeType === undefined ? {} : { mimeType }, data: { case: 'binary', value: bytes('x') } },
      ],
    });
    const [file] = await stored(owner);
    expect(file?.metadata.captureMetadata?.mimeType).toBe(expected);
    expect(file?.metadata.fileExt).toBe(extension);
  });

  it('takes absent times and the year 1 as the time of receipt', async () => {
    const { owner } = await startDataService();
    for (const metadata of [undefined, {}, { timeRequested: { seconds: -62135596800n, nanos: 5 } }]) {
      await owner.sync.dataCaptureUpload({
        metadata: picture,
        sensorContents: [{ ...(metadata && { metadata }), data: { case: 'binary', value: bytes('x') } }],
      });
    }
    const seconds = BigInt(startTime / 1e6);
    for (const { metadata } of await stored(owner))
      expect(metadata).toMatchObject({ timeRequested: { seconds }, timeReceived: { seconds } });
  });

  it('keeps boxes and classifications that come along, giving ids to those without', async () => {
    const { owner } = await startDataService();
    const box = {
      label: 'cup',
      xMinNormalized: 0,
      yMinNormalized: 0.25,
      xMaxNormalized: 1,
      yMaxNormalized: 0.5,
      confidence: 0.75,
    };
    await owner.sync.dataCaptureUpload({
      metadata: picture,
      sensorContents: [
        {
          metadata: { annotations: { bboxes: [{ ...box, id: 'mine' }, box], classifications: [{ label: 'indoors' }] } },
          data: { case: 'binary', value: bytes('x') },
        },
      ],
    });
    const [file] = await stored(owner);
    const { bboxes = [], classifications = [] } = file?.metadata.annotations ?? {};
    expect(bboxes).toMatchObject([{ ...box, id: 'mine' }, box]);
    expect(bboxes[1]?.id).toMatch(/^id-/);
    expect(classifications).toMatchObject([{ label: 'indoors' }]);
    expect(classifications[0]?.confidence).toBeUndefined();
  });

  it.each([
    ['an unknown part', { metadata: { ...picture, partId: 'nobody' } }],
    ['a malformed part', { metadata: { ...picture, partId: '\u0000/..' } }],
    ['a part of another organization', { metadata: { ...picture, partId: 'ship-part' } }],
    ['no metadata', {}],
    ['an unknown dataset', { metadata: { ...picture, datasetIds: ['none'] } }],
    ['an unknown dataset as a tag', { metadata: { ...picture, tags: ['SVC_DATASET_none'] } }],
    ['an empty tag', { metadata: { ...picture, tags: ['ok', ' '] } }],
    ['the type of a file', { metadata: { ...picture, type: DataType.FILE } }],
    ['tabular data', { metadata: picture, sensorContents: [{ data: { case: 'struct' as const, value: {} } }] }],
    ['no data', { metadata: picture, sensorContents: [{}] }],
    ['no content', { metadata: picture, sensorContents: [] }],
    [
      'a box on what is no image',
      {
        metadata: { ...picture, fileExtension: '.mp4' },
        sensorContents: [
          {
            metadata: { annotations: { bboxes: [{ label: 'cup' }] } },
            data: { case: 'binary' as const, value: bytes('x') },
          },
        ],
      },
    ],
    [
      'a time beyond the year 9999',
      {
        metadata: picture,
        sensorContents: [
          {
            metadata: { timeRequested: { seconds: 1n << 50n, nanos: 0 } },
            data: { case: 'binary' as const, value: bytes('x') },
          },
        ],
      },
    ],
  ])('refuses %s and stores nothing', async (_, request) => {
    const { owner, dependencies } = await startDataService();
    const contents = [{ data: { case: 'binary' as const, value: bytes('x') } }];
    expect(await codeOf(owner.sync.dataCaptureUpload({ sensorContents: contents, ...request }))).toBe(
      'InvalidArgument',
    );
    expect(await stored(owner)).toEqual([]);
    for await (const blob of dependencies.store.blobs.list()) expect(blob).toBeUndefined();
  });

  it('puts data into its datasets at once', async () => {
    const { owner } = await startDataService();
    const { id } = await owner.datasets.createDataset({ organizationId: 'a', name: 'cups' });
    await owner.sync.dataCaptureUpload({
      metadata: { ...picture, datasetIds: [id] },
      sensorContents: [{ data: { case: 'binary', value: bytes('x') } }],
    });
    const [file] = await stored(owner);
    expect(file?.metadata.datasetIds).toEqual([id]);
    expect(file?.metadata.captureMetadata?.tags).toEqual([`SVC_DATASET_${id}`]);
  });
});

describe('DataCaptureUpload of tabular data', () => {
  const sensor = {
    partId: 'lab-part',
    type: DataType.TABULAR_SENSOR,
    componentName: 'scale',
    componentType: 'rdk:component:sensor',
    methodName: 'Readings',
  };
  const reading = (value: number) => ({ data: { case: 'struct' as const, value: { readings: { kg: value } } } });
  const rows = async ({ data }: Clients) => data.tabularDataByFilter({});

  it('makes a row of each record, all sharing one metadata', async () => {
    const { owner } = await startDataService();
    const timed = (value: number, ms: number) => ({
      ...reading(value),
      metadata: { timeRequested: timestampFromMs(ms) },
    });
    const { fileId, binaryDataId } = await owner.sync.dataCaptureUpload({
      metadata: { ...sensor, tags: ['t'] },
      sensorContents: [timed(1, 10), timed(2, 30), timed(3, 20)],
    });
    expect(fileId).not.toBe('');
    expect(binaryDataId).toBe('');
    const { data, metadata, count } = await rows(owner);
    expect(data.map((row) => row.data)).toEqual([2, 3, 1].map((kg) => ({ readings: { kg } })));
    expect(data.map((row) => metadata[row.metadataIndex]?.componentName)).toEqual(['scale', 'scale', 'scale']);
    expect(metadata).toMatchObject([{ tags: ['t'], partId: 'lab-part' }]);
    expect(count).toBe(3n);
  });

  it('keeps numbers that JSON has no text for', async () => {
    const { owner } = await startDataService();
    const value = { nan: NaN, up: Infinity, down: -Infinity };
    await owner.sync.dataCaptureUpload({ metadata: sensor, sensorContents: [{ data: { case: 'struct', value } }] });
    expect((await rows(owner)).data[0]?.data).toEqual(value);
  });

  it.each([
    ['times for only some records', 'InvalidArgument', [reading(1), { ...reading(2), metadata: {} }]],
    [
      'bytes among the records',
      'InvalidArgument',
      [reading(1), { data: { case: 'binary' as const, value: bytes('x') } }],
    ],
    [
      'a record over 4 MB',
      'ResourceExhausted',
      [reading(1), { data: { case: 'struct' as const, value: { text: 'x'.repeat(4_000_000) } } }],
    ],
  ])('refuses %s and stores nothing', async (_, code, sensorContents) => {
    const { owner } = await startDataService();
    expect(await codeOf(owner.sync.dataCaptureUpload({ metadata: sensor, sensorContents }))).toBe(code);
    expect((await rows(owner)).data).toEqual([]);
  });

  it('has no place in a dataset', async () => {
    const { owner } = await startDataService();
    const { id } = await owner.datasets.createDataset({ organizationId: 'a', name: 'cups' });
    const upload = (metadata: object) =>
      codeOf(owner.sync.dataCaptureUpload({ metadata: { ...sensor, ...metadata }, sensorContents: [reading(1)] }));
    expect(await upload({ datasetIds: [id] })).toBe('InvalidArgument');
    expect(await upload({ tags: [`SVC_DATASET_${id}`] })).toBe('InvalidArgument');
  });

  it.each([
    [
      'a Value, as machines do',
      anyPack(ValueSchema, create(ValueSchema, { kind: { case: 'stringValue', value: 'fast' } })),
      'fast',
    ],
    ['a Struct, as the Python client does', anyPack(StructSchema, create(StructSchema, { fields: {} })), {}],
  ])('reads a method parameter packed as %s', async (_, packed, expected) => {
    const { owner } = await startDataService();
    await owner.sync.dataCaptureUpload({
      metadata: { ...sensor, methodParameters: { mode: packed } },
      sensorContents: [reading(1)],
    });
    const { metadata } = await rows(owner);
    expect(metadata[0]?.methodParameters['mode']).toEqual(packed);
    const resource = {
      partId: 'lab-part',
      resourceName: 'scale',
      resourceSubtype: 'rdk:component:sensor',
      methodName: 'Readings',
    };
    for await (const { methodParameters } of owner.data.exportTabularData(resource))
      expect(methodParameters).toEqual({ mode: expected });
  });
});

describe('FileUpload', () => {
  const file = { partId: 'lab-part', type: DataType.FILE, fileName: 'log.txt', fileExtension: '.txt' };

  it('joins the content of a stream', async () => {
    const { owner } = await startDataService();
    const times = { fileCreateTime: timestampFromMs(1000), fileModifyTime: timestampFromMs(2000) };
    const { binaryDataId, fileId } = await owner.sync.fileUpload(
      fileStream(metadataPacket({ ...file, ...times }), contentPacket('one '), contentPacket(''), contentPacket('two')),
    );
    expect(binaryDataId).toBe(`a/lab/${fileId}`);
    expect(await stored(owner)).toMatchObject([
      {
        text: 'one two',
        metadata: {
          fileName: 'log.txt',
          fileExt: '.txt',
          timeRequested: { seconds: 1n },
          timeReceived: { seconds: 2n },
        },
      },
    ]);
  });

  it('takes a stream without content as an empty file', async () => {
    const { owner } = await startDataService();
    await owner.sync.fileUpload(fileStream(metadataPacket(file)));
    expect(await stored(owner)).toMatchObject([{ text: '', metadata: { fileSizeBytes: 0n } }]);
  });

  it.each([
    ['no message', []],
    ['content first', [contentPacket('x'), metadataPacket(file)]],
    ['metadata twice', [metadataPacket(file), contentPacket('x'), metadataPacket(file)]],
    ['an empty message', [metadataPacket(file), { uploadPacket: { case: undefined } }]],
    ['tabular data', [metadataPacket({ ...file, type: DataType.TABULAR_SENSOR }), contentPacket('x')]],
    ['an unknown part', [metadataPacket({ ...file, partId: 'x' }), contentPacket('x')]],
  ])('refuses %s and stores nothing', async (_, messages) => {
    const { owner, dependencies } = await startDataService();
    expect(await codeOf(owner.sync.fileUpload(fileStream(...messages)))).toBe('InvalidArgument');
    expect(await stored(owner)).toEqual([]);
    for await (const blob of dependencies.store.blobs.list()) expect(blob).toBeUndefined();
  });

  it('refuses a file over the limit and stores nothing', async () => {
    const limits = { maxMessageBytes: 1000, maxUploadBytes: 10, maxAnswerBytes: 1000 };
    const { owner } = await startDataService({ limits });
    const stream = fileStream(metadataPacket(file), contentPacket('123456'), contentPacket('78901'));
    expect(await codeOf(owner.sync.fileUpload(stream))).toBe('ResourceExhausted');
    expect(await stored(owner)).toEqual([]);
  });

  it('refuses a message over the limit', async () => {
    const limits = { maxMessageBytes: 1000, maxUploadBytes: 10_000, maxAnswerBytes: 1000 };
    const { owner } = await startDataService({ limits });
    const stream = fileStream(metadataPacket(file), contentPacket('x'.repeat(1001)));
    expect(await codeOf(owner.sync.fileUpload(stream))).toBe('ResourceExhausted');
    expect(await stored(owner)).toEqual([]);
  });
});

describe('StreamingDataCaptureUpload', () => {
  it('stores one capture with the times and annotations of its sensor', async () => {
    const { owner } = await startDataService();
    const sensorMetadata = {
      timeRequested: timestampFromMs(1000),
      annotations: { classifications: [{ label: 'good', confidence: 1 }] },
    };
    await owner.sync.streamingDataCaptureUpload(
      captureStream(metadataPacket({ uploadMetadata: picture, sensorMetadata }), dataPacket('ab'), dataPacket('c')),
    );
    expect(await stored(owner)).toMatchObject([
      {
        text: 'abc',
        metadata: { timeRequested: { seconds: 1n }, annotations: { classifications: [{ label: 'good' }] } },
      },
    ]);
  });

  it.each([
    ['no upload metadata', [metadataPacket({}), dataPacket('x')]],
    ['content first', [dataPacket('x')]],
    ['metadata twice', [metadataPacket({ uploadMetadata: picture }), metadataPacket({ uploadMetadata: picture })]],
  ])('refuses %s and stores nothing', async (_, messages) => {
    const { owner } = await startDataService();
    expect(await codeOf(owner.sync.streamingDataCaptureUpload(captureStream(...messages)))).toBe('InvalidArgument');
    expect(await stored(owner)).toEqual([]);
  });
});

describe('an upload id', () => {
  const headers = { 'x-upload-id': 'outbox-7' };
  const capture = { metadata: picture, sensorContents: [{ data: { case: 'binary' as const, value: bytes('x') } }] };

  it('lets the same upload be sent again without storing it twice', async () => {
    const { owner, dependencies } = await startDataService();
    const first = await owner.sync.dataCaptureUpload(capture, { headers });
    expect(await owner.sync.dataCaptureUpload(capture, { headers })).toEqual(first);
    expect(await stored(owner)).toHaveLength(1);
    const blobs = await collect(dependencies.store.blobs.list());
    expect(blobs).toHaveLength(1);
  });

  it('holds when the same upload arrives twice at a time', async () => {
    const { owner, dependencies } = await startDataService();
    const answers = await Promise.all([1, 2, 3].map(() => owner.sync.dataCaptureUpload(capture, { headers })));
    expect(new Set(answers.map(({ binaryDataId }) => binaryDataId)).size).toBe(1);
    expect(await stored(owner)).toHaveLength(1);
    expect(await collect(dependencies.store.blobs.list())).toHaveLength(1);
  });

  it('is the organization’s own', async () => {
    const { owner, stranger } = await startDataService();
    const first = await owner.sync.dataCaptureUpload(capture, { headers });
    const theirs = { ...capture, metadata: { ...picture, partId: 'ship-part' } };
    expect((await stranger.sync.dataCaptureUpload(theirs, { headers })).binaryDataId).not.toBe(first.binaryDataId);
  });

  it.each([
    [
      'tabular data',
      (sync: Clients['sync']) =>
        sync.dataCaptureUpload(
          {
            metadata: { partId: 'lab-part', type: DataType.TABULAR_SENSOR },
            sensorContents: [{ data: { case: 'struct', value: { a: 1 } } }],
          },
          { headers },
        ),
    ],
    [
      'files',
      (sync: Clients['sync']) =>
        sync.fileUpload(fileStream(metadataPacket({ partId: 'lab-part', fileName: 'a' }), contentPacket('x')), {
          headers,
        }),
    ],
    [
      'streams',
      (sync: Clients['sync']) =>
        sync.streamingDataCaptureUpload(captureStream(metadataPacket({ uploadMetadata: picture }), dataPacket('x')), {
          headers,
        }),
    ],
  ])('covers %s', async (_, upload) => {
    const { owner } = await startDataService();
    const first = await upload(owner.sync);
    expect(await upload(owner.sync)).toEqual(first);
    const [files, readings] = [await stored(owner), await owner.data.tabularDataByFilter({})];
    expect(files.length + readings.data.length).toBe(1);
  });

  it('is refused when it is no id', async () => {
    const { owner } = await startDataService();
    const tooLong = { 'x-upload-id': 'x'.repeat(201) };
    expect(await codeOf(owner.sync.dataCaptureUpload(capture, { headers: tooLong }))).toBe('InvalidArgument');
  });
});

describe('bytes whose row could not be stored', () => {
  const capture = { metadata: picture, sensorContents: [{ data: { case: 'binary' as const, value: bytes('x') } }] };

  it.each([
    ['go when the store refused', new StoreError('resource-exhausted', 'The disk is full.'), 'ResourceExhausted', 0],
    ['stay when it may have stored it after all', new StoreError('unavailable', 'Connection lost.'), 'Unavailable', 1],
  ])('%s', async (_, error, code, left) => {
    const { owner, dependencies } = await startDataService();
    dependencies.store.binary.insert = () => Promise.reject(error);
    expect(await codeOf(owner.sync.dataCaptureUpload(capture))).toBe(code);
    expect(await collect(dependencies.store.blobs.list())).toHaveLength(left);
  });

  it('go too when the dataset was deleted meanwhile', async () => {
    const { owner, dependencies } = await startDataService();
    const { id } = await owner.datasets.createDataset({ organizationId: 'a', name: 'cups' });
    const put = dependencies.store.blobs.put.bind(dependencies.store.blobs);
    dependencies.store.blobs.put = async (...call) => {
      await owner.datasets.deleteDataset({ id });
      return put(...call);
    };
    const late = { ...capture, metadata: { ...picture, datasetIds: [id] } };
    expect(await codeOf(owner.sync.dataCaptureUpload(late))).toBe('InvalidArgument');
    expect(await collect(dependencies.store.blobs.list())).toEqual([]);
  });
});
