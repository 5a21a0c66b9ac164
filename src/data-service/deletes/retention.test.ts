import { beforeEach, describe, expect, it } from 'vitest';
import {
  collect,
  micros,
  startDataService,
  startTime,
  uploadPicture,
  uploadReading,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { bytes, picture } from '../../../tests/upload-packets.ts';
import { deleteOldest, deleteOutdated } from './retention.ts';

const day = 86_400 * 1e6;
const dayMs = day / 1000;
const { signal } = new AbortController();

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const days = (count: number): number => startTime - count * day;
const left = async (owner = service.owner) => {
  const files = await owner.data.binaryDataByFilter({ countOnly: true, includeInternalData: true });
  const readings = await owner.data.tabularDataByFilter({ countOnly: true, includeInternalData: true });
  return [Number(files.count), Number(readings.count)];
};
const blobs = async () => (await collect(service.dependencies.store.blobs.list())).length;

describe('deleteOutdated', () => {
  beforeEach(async () => {
    for (const age of [100, 90.001, 89.999, 0]) {
      await uploadPicture(service.owner, {}, days(age));
      await uploadReading(service.owner, { kg: 1 }, days(age));
    }
  });

  it.each([
    [{ filesMs: 90 * dayMs, readingsMs: 90 * dayMs, auditMs: null }, [2, 2]],
    [{ filesMs: 90 * dayMs, readingsMs: null, auditMs: null }, [2, 4]],
    [{ filesMs: null, readingsMs: 95 * dayMs, auditMs: null }, [4, 3]],
    [{ filesMs: null, readingsMs: null, auditMs: null }, [4, 4]],
  ])('keeps by %j', async (retention, kept) => {
    const deleted = await deleteOutdated(service.dependencies, retention, signal);
    expect(await left()).toEqual(kept);
    expect([deleted.files, deleted.readings]).toEqual([4 - kept[0]!, 4 - kept[1]!]);
    expect(await blobs()).toBe(kept[0]);
  });

  it('reaches every organization and what is internal', async () => {
    await uploadPicture(service.stranger, { partId: 'ship-part' }, days(91));
    await uploadPicture(service.owner, { componentType: 'rdk-internal:service:mapping' }, days(91));
    await deleteOutdated(service.dependencies, { filesMs: 90 * dayMs, readingsMs: null, auditMs: null }, signal);
    expect([await left(), await left(service.stranger)]).toEqual([
      [2, 4],
      [0, 0],
    ]);
  });

  it('leaves what is in a dataset, and what a clock that was never set dated', async () => {
    const { id } = await service.owner.datasets.createDataset({ name: 'd', organizationId: 'a' });
    const binaryDataId = await uploadPicture(service.owner, {}, days(200));
    await service.owner.data.addBinaryDataToDatasetByIDs({ datasetId: id, binaryDataIds: [binaryDataId] });
    await uploadPicture(service.owner, {}, micros('1970-01-01T00:05:00Z'));
    await uploadReading(service.owner, { kg: 1 }, micros('1999-12-31T23:59:59Z'));
    await deleteOutdated(service.dependencies, { filesMs: 90 * dayMs, readingsMs: 90 * dayMs, auditMs: null }, signal);
    expect(await left()).toEqual([4, 3]);
    await service.owner.data.removeBinaryDataFromDatasetByIDs({ datasetId: id, binaryDataIds: [binaryDataId] });
    await deleteOutdated(service.dependencies, { filesMs: 90 * dayMs, readingsMs: 90 * dayMs, auditMs: null }, signal);
    expect(await left()).toEqual([3, 3]);
  });

  it('forgets receipts of uploads that are older than files and readings may be', async () => {
    const { owner, time, dependencies } = service;
    const send = (id: string) =>
      owner.sync.dataCaptureUpload(
        { metadata: picture, sensorContents: [{ data: { case: 'binary', value: bytes('x') } }] },
        { headers: { 'x-upload-id': id } },
      );
    await send('early');
    time.now += 2 * day;
    await send('late');
    const { receipts } = dependencies.store;
    const known = async () => [await receipts.get('a', 'lab early'), await receipts.get('a', 'lab late')];
    await deleteOutdated(dependencies, { filesMs: dayMs, readingsMs: null, auditMs: null }, signal);
    expect(await known()).not.toContain(null);
    await deleteOutdated(dependencies, { filesMs: dayMs, readingsMs: dayMs, auditMs: null }, signal);
    expect(await known()).toEqual([null, expect.objectContaining({ uploadId: 'lab late' })]);
  });

  it('stops when it is asked to', async () => {
    const stopped = AbortSignal.abort();
    await expect(
      deleteOutdated(service.dependencies, { filesMs: 0, readingsMs: 0, auditMs: null }, stopped),
    ).rejects.toThrow();
    expect(await left()).toEqual([4, 4]);
  });
});

describe('deleteOldest', () => {
  it('deletes the oldest hours of all organizations first, and no more than need to go', async () => {
    await uploadPicture(service.stranger, { partId: 'ship-part' }, days(3));
    await uploadReading(service.owner, { kg: 1 }, days(3) + 1);
    await uploadReading(service.owner, { kg: 1 }, days(2));
    await uploadPicture(service.owner, {}, days(1));
    const { store } = service.dependencies;
    let asked = 0;
    const deleted = await deleteOldest(store, async () => ++asked > 2, signal);
    expect(deleted).toEqual({ files: 1, readings: 2 });
    expect(await left()).toEqual([1, 0]);
  });

  it('ends when nothing is left that may go', async () => {
    const { id } = await service.owner.datasets.createDataset({ name: 'd', organizationId: 'a' });
    await uploadPicture(service.owner, { datasetIds: [id] }, days(3));
    await uploadPicture(service.owner, {}, days(2));
    const deleted = await deleteOldest(service.dependencies.store, async () => false, signal);
    expect(deleted).toEqual({ files: 1, readings: 0 });
    expect(await left()).toEqual([1, 0]);
  });
});
