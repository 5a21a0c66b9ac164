import { create } from '@bufbuild/protobuf';
import { anyPack, StructSchema, timestampFromMs, ValueSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  startTime,
  uploadPicture,
  type Clients,
} from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { bytes, picture, storedFiles } from '../../../tests/upload-packets.ts';
import { DataType, MimeType } from '../../gen/app/datasync/v1/data_sync_pb.ts';

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
    const [file] = await storedFiles(owner);
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
          organizationId: 'a',
          locationId: 'lab',
          partId: 'lab-part',
          partName: 'lab main',
          robotId: 'lab-robot',
          robotName: 'lab robot',
          componentType: 'rdk:component:camera',
          componentName: 'cam',
          methodName: 'ReadImage',
          mimeType: 'image/png',
          tags: ['day'],
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
    const [file] = await storedFiles(owner);
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
    for (const { metadata } of await storedFiles(owner))
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
    const [file] = await storedFiles(owner);
    const { bboxes = [], classifications = [] } = file?.metadata.annotations ?? {};
    expect(bboxes).toMatchObject([{ ...box, id: 'mine' }, box]);
    expect(bboxes[1]?.id).toMatch(/^id-/);
    expect(classifications).toMatchObject([{ label: 'indoors' }]);
    expect(classifications[0]?.confidence).toBeUndefined();
  });

  it('takes boxes on images, whose type may be written in capitals', async () => {
    const { owner } = await startDataService();
    const box = { label: 'cup', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    const binaryDataId = await uploadPicture(owner, { mimeType: 'IMAGE/PNG' });
    expect(await codeOf(owner.data.addBoundingBoxToImageByID({ binaryDataId, ...box }))).toBe('ok');
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
    expect(await storedFiles(owner)).toEqual([]);
    for await (const blob of dependencies.store.blobs.list()) expect(blob).toBeUndefined();
  });

  it('puts data into its datasets at once', async () => {
    const { owner } = await startDataService();
    const { id } = await owner.datasets.createDataset({ organizationId: 'a', name: 'cups' });
    await owner.sync.dataCaptureUpload({
      metadata: { ...picture, datasetIds: [id] },
      sensorContents: [{ data: { case: 'binary', value: bytes('x') } }],
    });
    const [file] = await storedFiles(owner);
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

  it.each([
    [20_000_000, 'ok', 1],
    [20_000_001, 'Unavailable', 0],
  ])('may wait for its store for 20 s: after %i µs it is %s', async (waitsFor, code, kept) => {
    const time = { now: startTime };
    const clock = { now: () => time.now };
    const memory = memoryDataStore(clock);
    const store = {
      ...memory,
      async now() {
        const stamp = time.now;
        time.now += waitsFor;
        return stamp;
      },
    };
    const { owner } = await startDataService({ store, clock });
    time.now = startTime;
    expect(await codeOf(owner.sync.dataCaptureUpload({ metadata: sensor, sensorContents: [reading(1)] }))).toBe(code);
    expect((await rows(owner)).data).toHaveLength(kept);
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
