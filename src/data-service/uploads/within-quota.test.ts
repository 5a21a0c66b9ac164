import { describe, expect, it } from 'vitest';
import { DataType } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import {
  codeOf,
  collect,
  startDataService,
  uploadPicture,
  uploadReading,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import {
  fileStream,
  metadataPacket,
  contentPacket,
  picture,
  storedFiles,
  bytes,
} from '../../../tests/upload-packets.ts';

const upload = ({ owner }: TestService, text: string) =>
  owner.sync.fileUpload(fileStream(metadataPacket({ partId: 'lab-part', fileName: 'a' }), contentPacket(text)));

async function withQuota(quotaBytes: number): Promise<TestService> {
  const service = await startDataService();
  await service.dependencies.store.access.setQuota('a', quotaBytes);
  return service;
}

const blobsOf = ({ dependencies }: TestService) => collect(dependencies.store.blobs.list());

describe('an upload into an organization with a quota', () => {
  it('is taken to the last byte, and refused beyond it with words that tell what to do', async () => {
    const service = await withQuota(10);
    await upload(service, '123456');
    const refused = await upload(service, '12345').catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({
      message: expect.stringMatching(
        /resource_exhausted.*stores 6 B of its quota of 10 B, and 5 B more do not fit\..*Delete data.*larger quota/,
      ),
    });
    await upload(service, '1234');
    expect(await codeOf(upload(service, ''))).toBe('ok');
    expect(await storedFiles(service.owner)).toHaveLength(3);
  });

  it('counts the boxes that come with files', async () => {
    const service = await withQuota(100_000);
    const bboxes = Array.from({ length: 500 }, (_, n) => ({
      id: String(n),
      label: 'x'.repeat(100),
      xMinNormalized: 0,
      yMinNormalized: 0,
      xMaxNormalized: 1,
      yMaxNormalized: 1,
    }));
    await service.owner.sync.dataCaptureUpload({
      metadata: { partId: 'lab-part', type: DataType.BINARY_SENSOR, fileExtension: '.png' },
      sensorContents: [{ metadata: { annotations: { bboxes } }, data: { case: 'binary', value: bytes('1') } }],
    });
    expect(await codeOf(upload(service, '1'))).toBe('ResourceExhausted');
  });

  it('is refused before its bytes are stored, however many would follow', async () => {
    const service = await withQuota(1000);
    let sent = 0;
    async function* endless() {
      yield metadataPacket({ partId: 'lab-part', fileName: 'a' });
      for (; sent < 1000; sent++) yield contentPacket('x'.repeat(100));
    }
    expect(await codeOf(service.owner.sync.fileUpload(endless()))).toBe('ResourceExhausted');
    expect(sent).toBeLessThan(100);
    let puts = 0;
    const { blobs } = service.dependencies.store;
    const put = blobs.put.bind(blobs);
    blobs.put = (content, signal) =>
      put(
        (async function* () {
          for await (const chunk of content) {
            puts++;
            yield chunk;
          }
        })(),
        signal,
      );
    expect(await codeOf(uploadPicture(service.owner, {}, undefined, 'x'.repeat(1001)))).toBe('ResourceExhausted');
    expect([puts, await blobsOf(service)]).toEqual([0, []]);
  });

  it('counts all captures of one call together', async () => {
    const service = await withQuota(10);
    const contents = ['12345', '67890', 'x'].map((text) => ({ data: { case: 'binary' as const, value: bytes(text) } }));
    const send = (count: number) =>
      codeOf(service.owner.sync.dataCaptureUpload({ metadata: picture, sensorContents: contents.slice(0, count) }));
    expect(await send(3)).toBe('ResourceExhausted');
    expect(await blobsOf(service)).toEqual([]);
    expect(await send(2)).toBe('ok');
  });

  it('is held to it when its rows are added, too, since others came meanwhile', async () => {
    const service = await withQuota(10);
    const { blobs } = service.dependencies.store;
    const put = blobs.put.bind(blobs);
    blobs.put = async (...call) => {
      blobs.put = put;
      await upload(service, '123456');
      return put(...call);
    };
    expect(await codeOf(upload(service, '12345'))).toBe('ResourceExhausted');
    expect((await storedFiles(service.owner)).map(({ text }) => text)).toEqual(['123456']);
    expect(await blobsOf(service)).toHaveLength(1);
  });

  it('goes on after a delete, or with a larger quota, under the same upload id; readings too', async () => {
    const service = await withQuota(6);
    const id = await uploadPicture(service.owner);
    const headers = { 'x-upload-id': 'outbox-1' };
    const again = () =>
      service.owner.sync.dataCaptureUpload(
        { metadata: picture, sensorContents: [{ data: { case: 'binary', value: bytes('later') } }] },
        { headers },
      );
    expect(await codeOf(again())).toBe('ResourceExhausted');
    expect(await codeOf(uploadReading(service.owner, { kg: 1 }))).toBe('ResourceExhausted');
    await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
    const { binaryDataId } = await again();
    expect((await again()).binaryDataId).toBe(binaryDataId);
    await service.dependencies.store.access.setQuota('a', 1000);
    expect(await codeOf(uploadReading(service.owner, { kg: 1 }))).toBe('ok');
  });

  it('is answered by its receipt where it is stored already, although nothing has room any more', async () => {
    const service = await withQuota(5);
    const headers = { 'x-upload-id': 'outbox-1' };
    const send = () =>
      service.owner.sync.dataCaptureUpload(
        { metadata: picture, sensorContents: [{ data: { case: 'binary', value: bytes('12345') } }] },
        { headers },
      );
    expect(await send()).toEqual(await send());
  });

  it('leaves other organizations alone', async () => {
    const service = await withQuota(0);
    expect(await codeOf(uploadPicture(service.stranger, { partId: 'ship-part' }))).toBe('ok');
    expect(await codeOf(uploadPicture(service.owner))).toBe('ResourceExhausted');
  });
});
