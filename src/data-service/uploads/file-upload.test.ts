import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { codeOf, startDataService } from '../../../tests/data-service-fixture.ts';
import {
  captureStream,
  contentPacket,
  dataPacket,
  fileStream,
  metadataPacket,
  picture,
  storedFiles,
} from '../../../tests/upload-packets.ts';
import { DataType } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { defaultLimits } from '../ports/dependencies.ts';

describe('FileUpload', () => {
  const file = { partId: 'lab-part', type: DataType.FILE, fileName: 'log.txt', fileExtension: '.txt' };

  it('joins the content of a stream', async () => {
    const { owner } = await startDataService();
    const times = { fileCreateTime: timestampFromMs(1000), fileModifyTime: timestampFromMs(2000) };
    const { binaryDataId, fileId } = await owner.sync.fileUpload(
      fileStream(metadataPacket({ ...file, ...times }), contentPacket('one '), contentPacket(''), contentPacket('two')),
    );
    expect(binaryDataId).toBe(`a/lab/${fileId}`);
    expect(await storedFiles(owner)).toMatchObject([
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
    expect(await storedFiles(owner)).toMatchObject([{ text: '', metadata: { fileSizeBytes: 0n } }]);
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
    expect(await storedFiles(owner)).toEqual([]);
    for await (const blob of dependencies.store.blobs.list()) expect(blob).toBeUndefined();
  });

  it('refuses a file over the limit and stores nothing', async () => {
    const limits = { ...defaultLimits, maxMessageBytes: 1000, maxUploadBytes: 10 };
    const { owner } = await startDataService({ limits });
    const stream = fileStream(metadataPacket(file), contentPacket('123456'), contentPacket('78901'));
    expect(await codeOf(owner.sync.fileUpload(stream))).toBe('ResourceExhausted');
    expect(await storedFiles(owner)).toEqual([]);
  });

  it('stores nothing, and keeps no bytes, if its client is gone when the bytes are written', async () => {
    const { owner, dependencies } = await startDataService();
    const { blobs } = dependencies.store;
    const client = new AbortController();
    let written = '';
    const undone = new Promise<void>((resolve) => {
      const { put, delete: remove } = blobs;
      blobs.put = async (...parameters) => {
        const blob = await put(...parameters);
        written = blob.address;
        client.abort();
        return blob;
      };
      blobs.delete = async (address) => {
        await remove(address);
        if (address === written) resolve();
      };
    });
    const upload = owner.sync.fileUpload(fileStream(metadataPacket(file), contentPacket('half')), {
      signal: client.signal,
    });
    expect(await codeOf(upload)).toBe('Canceled');
    await undone;
    expect(await storedFiles(owner)).toEqual([]);
  });

  it('refuses a message over the limit', async () => {
    const limits = { ...defaultLimits, maxMessageBytes: 1000, maxUploadBytes: 10_000 };
    const { owner } = await startDataService({ limits });
    const stream = fileStream(metadataPacket(file), contentPacket('x'.repeat(1001)));
    expect(await codeOf(owner.sync.fileUpload(stream))).toBe('ResourceExhausted');
    expect(await storedFiles(owner)).toEqual([]);
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
    expect(await storedFiles(owner)).toMatchObject([
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
    expect(await storedFiles(owner)).toEqual([]);
  });
});
