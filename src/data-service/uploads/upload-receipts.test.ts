import { describe, expect, it } from 'vitest';
import { codeOf, collect, startDataService, type Clients } from '../../../tests/data-service-fixture.ts';
import {
  bytes,
  captureStream,
  contentPacket,
  dataPacket,
  fileStream,
  metadataPacket,
  picture,
  storedFiles,
} from '../../../tests/upload-packets.ts';
import { DataType } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { StoreError } from '../ports/store-error.ts';

describe('an upload id', () => {
  const headers = { 'x-upload-id': 'outbox-7' };
  const capture = { metadata: picture, sensorContents: [{ data: { case: 'binary' as const, value: bytes('x') } }] };

  it('lets the same upload be sent again without storing it twice', async () => {
    const { owner, dependencies } = await startDataService();
    const first = await owner.sync.dataCaptureUpload(capture, { headers });
    expect(await owner.sync.dataCaptureUpload(capture, { headers })).toEqual(first);
    expect(await storedFiles(owner)).toHaveLength(1);
    const blobs = await collect(dependencies.store.blobs.list());
    expect(blobs).toHaveLength(1);
  });

  it('holds when the same upload arrives twice at a time', async () => {
    const { owner, dependencies } = await startDataService();
    const answers = await Promise.all([1, 2, 3].map(() => owner.sync.dataCaptureUpload(capture, { headers })));
    expect(new Set(answers.map(({ binaryDataId }) => binaryDataId)).size).toBe(1);
    expect(await storedFiles(owner)).toHaveLength(1);
    expect(await collect(dependencies.store.blobs.list())).toHaveLength(1);
  });

  it('is the organization’s own', async () => {
    const { owner, stranger } = await startDataService();
    const first = await owner.sync.dataCaptureUpload(capture, { headers });
    const theirs = { ...capture, metadata: { ...picture, partId: 'ship-part' } };
    expect((await stranger.sync.dataCaptureUpload(theirs, { headers })).binaryDataId).not.toBe(first.binaryDataId);
  });

  it('is the location’s own', async () => {
    const { owner, dependencies } = await startDataService();
    const { access } = dependencies.store;
    const lab = (await access.getPart('lab-part'))!;
    await access.createLocation({ id: 'roof', organizationId: lab.organizationId, name: 'Roof' });
    await access.createPart({ ...lab, id: 'roof-part', locationId: 'roof' });
    const first = await owner.sync.dataCaptureUpload(capture, { headers });
    const theirs = { ...capture, metadata: { ...picture, partId: 'roof-part' } };
    const other = await owner.sync.dataCaptureUpload(theirs, { headers });
    expect(other.binaryDataId).not.toBe(first.binaryDataId);
    expect(await owner.sync.dataCaptureUpload(theirs, { headers })).toEqual(other);
    expect(await storedFiles(owner)).toHaveLength(2);
  });

  it('is the part’s own for a key of one part', async () => {
    const { owner, local, atPart, dependencies } = await startDataService();
    const { access } = dependencies.store;
    await access.createPart({ ...(await access.getPart('yard-part'))!, id: 'yard-arm' });
    const of = (partId: string) => ({ ...capture, metadata: { ...picture, partId } });
    const first = await owner.sync.dataCaptureUpload(of('yard-arm'), { headers });
    const own = await atPart.sync.dataCaptureUpload(of('yard-part'), { headers });
    expect(own.binaryDataId).not.toBe(first.binaryDataId);
    expect(await atPart.sync.dataCaptureUpload(of('yard-part'), { headers })).toEqual(own);
    expect(await codeOf(atPart.sync.dataCaptureUpload(of('yard-arm'), { headers }))).toBe('InvalidArgument');
    await owner.sync.dataCaptureUpload(of('lab-part'), { headers });
    expect(await codeOf(local.sync.dataCaptureUpload(of('lab-part'), { headers }))).toBe('InvalidArgument');
    expect(await storedFiles(owner)).toHaveLength(3);
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
    const [files, readings] = [await storedFiles(owner), await owner.data.tabularDataByFilter({})];
    expect(files.length + readings.data.length).toBe(1);
  });

  it('is answered with whether this call has stored the upload, or an earlier one had', async () => {
    const { owner } = await startDataService();
    const said: (string | null)[] = [];
    const onHeader = (answer: Headers) => said.push(answer.get('sightglass-stored'));
    for (const _ of ['first', 'again']) await owner.sync.dataCaptureUpload(capture, { headers, onHeader });
    const twice = ['one', 'other'].map(() =>
      owner.sync.dataCaptureUpload(capture, { headers: { 'x-upload-id': 'at-a-time' }, onHeader }),
    );
    await Promise.all(twice);
    expect(said.slice(0, 2)).toEqual(['now', 'before']);
    expect(said.slice(2).sort()).toEqual(['before', 'now']);
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
    const { store } = dependencies;
    const refusing = { ...store.binary, insert: () => Promise.reject(error) };
    Object.assign(store, { as: () => ({ ...store, binary: refusing }) });
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
