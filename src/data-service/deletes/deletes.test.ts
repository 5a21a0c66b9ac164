import { beforeEach, describe, expect, it } from 'vitest';
import {
  collect,
  codeOf,
  micros,
  startDataService,
  startTime,
  uploadPicture,
  uploadReading,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { anonymousReceipt, tabularRow } from '../../../tests/contract/data-store/captures.ts';
import { deferred } from '../../../tests/deferred.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { AuditService } from '../../gen/sightglass/audit/v1/audit_pb.ts';
import { StorageService } from '../../gen/sightglass/storage/v1/storage_pb.ts';
import type { DataStore } from '../ports/data-store.ts';
import { StoreError } from '../ports/store-error.ts';
import { takeUpDeletions } from './go-on-deleting.ts';
import { sweepBlobs } from './sweep-blobs.ts';

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const blobCount = async () => (await collect(service.dependencies.store.blobs.list())).length;
const fileCount = async () =>
  (await service.owner.data.binaryDataByFilter({ countOnly: true, includeInternalData: true })).count;
const rowCount = async () =>
  (await service.owner.data.tabularDataByFilter({ countOnly: true, includeInternalData: true })).count;

describe('DeleteTabularData', () => {
  const times = ['2026-03-08T12:00:00Z', '2026-03-10T23:59:59.999Z', '2026-03-11T00:00:00Z', '2026-03-11T04:00:00Z'];

  // The clock stands at 11 March, 05:00 UTC.
  it.each([
    [0, 4n],
    [1, 2n],
    [2, 1n],
    [3, 1n],
    [4, 0n],
    [2 ** 32 - 1, 0n],
  ])('older than %d days cuts at whole UTC days', async (deleteOlderThanDays, deleted) => {
    for (const time of times) await uploadReading(service.owner, { kg: 1 }, micros(time));
    const { deletedCount } = await service.owner.data.deleteTabularData({ organizationId: 'a', deleteOlderThanDays });
    expect(deletedCount).toBe(deleted);
    expect(await rowCount()).toBe(4n - deleted);
  });

  it.each([
    [{ componentName: 'scale' }, 1n],
    [{ componentType: 'rdk:component:sensor', method: 'Readings', partId: 'lab-part', robotId: 'lab-robot' }, 2n],
    [{ tagsFilter: { tags: ['t'] } }, 1n],
    [{ locationIds: ['yard'] }, 0n],
  ])('keeps to its filter %j', async (filter, deleted) => {
    await uploadReading(service.owner, { kg: 1 });
    await uploadReading(service.owner, { kg: 1 }, startTime, { componentName: 'other', tags: ['t'] });
    const { deletedCount } = await service.owner.data.deleteTabularData({ organizationId: 'a', filter });
    expect(deletedCount).toBe(deleted);
  });

  it('needs an organization', async () => {
    expect(await codeOf(service.owner.data.deleteTabularData({}))).toBe('InvalidArgument');
  });
});

describe('DeleteTabularData of more than are deleted in 5 s', () => {
  /** A store where each deletion takes six seconds, and waits for `mayGoOn` but for the first. */
  async function startSlow(mayGoOn: () => Promise<void>) {
    const time = { now: startTime };
    const clock = { now: () => time.now };
    const memory = memoryDataStore(clock);
    let calls = 0;
    const slow = <Stores extends Pick<DataStore, 'tabular'>>(stores: Stores): Stores => ({
      ...stores,
      tabular: {
        ...stores.tabular,
        async delete(...wanted: Parameters<DataStore['tabular']['delete']>) {
          if (calls++ > 0) await mayGoOn();
          time.now += 6e6;
          return stores.tabular.delete(...wanted);
        },
      },
    });
    const store: DataStore = { ...slow(memory), as: (actor) => slow(memory.as(actor)) };
    const started = await startDataService({ store, clock });
    const rows = Array.from({ length: 4100 }, (_, n) => tabularRow(`row-${n}`, { organizationId: 'a', timeSynced: 1 }));
    await store.tabular.insert(rows, anonymousReceipt());
    return { ...started, store, time };
  }

  const usageOf = ({ owner }: TestService) => owner.of(StorageService).getUsage({ organizationId: 'a' });

  it('answers with how many go in all, goes on, and leaves what came after the answer', async () => {
    const goesOn = deferred();
    const slow = await startSlow(() => goesOn.promise);
    expect(await slow.owner.data.deleteTabularData({ organizationId: 'a' })).toMatchObject({ deletedCount: 4100n });
    expect(await usageOf(slow)).toMatchObject({ readings: { count: 2100n }, readingsToDelete: 2100n });
    slow.time.now++;
    await uploadReading(slow.owner, { kg: 1 });
    goesOn.resolve();
    await expect.poll(() => usageOf(slow)).toMatchObject({ readings: { count: 1n }, readingsToDelete: 0n });
    const { changes } = await slow.owner.of(AuditService).listChanges({ organizationId: 'a', what: 'readings' });
    expect(changes.map(({ before, actor }) => [before!['count'], actor!.name])).toEqual([[4100, 'owner']]);
    expect(slow.defects).toEqual([]);
  });

  it('is taken up where its host has ended', async () => {
    let isAway = true;
    const slow = await startSlow(async () => {
      if (isAway) throw new StoreError('unavailable', 'The store is closed.');
    });
    await slow.owner.data.deleteTabularData({ organizationId: 'a' });
    const { signal } = new AbortController();
    await expect(takeUpDeletions(slow.store, signal)).rejects.toThrow('The store is closed.');
    expect(await usageOf(slow)).toMatchObject({ readingsToDelete: 2100n });
    isAway = false;
    await takeUpDeletions(slow.store, signal);
    expect(await usageOf(slow)).toMatchObject({ readings: { count: 0n }, readingsToDelete: 0n });
    expect(await slow.store.deletions!.list(null)).toEqual([]);
    expect(slow.defects).toEqual([]);
  });

  it('is left to the host that is at it', async () => {
    const goesOn = deferred();
    const slow = await startSlow(() => goesOn.promise);
    await slow.owner.data.deleteTabularData({ organizationId: 'a' });
    await takeUpDeletions(slow.store, new AbortController().signal);
    expect(await usageOf(slow)).toMatchObject({ readingsToDelete: 2100n });
    goesOn.resolve();
    await expect.poll(() => slow.store.deletions!.list(null)).toEqual([]);
  });
});

describe('DeleteBinaryData', () => {
  it('by ids deletes rows and bytes and counts what was there', async () => {
    const [one, two] = [await uploadPicture(service.owner), await uploadPicture(service.owner)];
    const { deletedCount } = await service.owner.data.deleteBinaryDataByIDs({
      binaryDataIds: [one, one, 'a/lab/none'],
    });
    expect(deletedCount).toBe(1n);
    expect(await codeOf(service.owner.data.binaryDataByIDs({ binaryDataIds: [one] }))).toBe('NotFound');
    expect(await codeOf(service.owner.data.binaryDataByIDs({ binaryDataIds: [two] }))).toBe('ok');
    expect(await blobCount()).toBe(1);
    expect(await codeOf(service.owner.data.deleteBinaryDataByIDs({}))).toBe('InvalidArgument');
  });

  it('by filter deletes rows and bytes of every match, internal ones only when asked', async () => {
    const many = Array.from({ length: 1001 }, () => ({ data: { case: 'binary' as const, value: new Uint8Array(1) } }));
    await service.owner.sync.dataCaptureUpload({ metadata: { partId: 'yard-part' }, sensorContents: many });
    await uploadPicture(service.owner);
    await uploadPicture(service.owner, { partId: 'yard-part', componentType: 'rdk-internal:service:mapping' });
    const filter = { organizationIds: ['a'], locationIds: ['yard'] };
    expect((await service.owner.data.deleteBinaryDataByFilter({ filter })).deletedCount).toBe(1001n);
    expect([await fileCount(), await blobCount()]).toEqual([2n, 2]);
    expect(
      (await service.owner.data.deleteBinaryDataByFilter({ filter, includeInternalData: true })).deletedCount,
    ).toBe(1n);
  });

  it.each([undefined, {}, { locationIds: ['lab'] }])('by filter needs an organization: %j', async (filter) => {
    await uploadPicture(service.owner);
    expect(await codeOf(service.owner.data.deleteBinaryDataByFilter(filter === undefined ? {} : { filter }))).toBe(
      'InvalidArgument',
    );
    expect(await fileCount()).toBe(1n);
  });
});

describe('sweepBlobs', () => {
  it('deletes bytes that no record owns once they are old, and no others', async () => {
    const { store } = service.dependencies;
    const id = await uploadPicture(service.owner);
    async function* content() {
      yield new Uint8Array(3);
    }
    await store.blobs.put(content(), new AbortController().signal);
    const hour = 3_600_000;
    expect(await sweepBlobs(service.dependencies, hour)).toBe(0);
    service.time.now += hour * 1000 + 1;
    expect(await sweepBlobs(service.dependencies, hour)).toBe(1);
    const { data } = await service.owner.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true });
    expect(data[0]?.binary).toHaveLength(6);
  });
});
