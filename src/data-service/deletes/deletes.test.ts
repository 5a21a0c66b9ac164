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

/** A store where each deletion takes six seconds, and waits for `mayGoOn` but for the first. */
async function startSlow(mayGoOn: () => Promise<void>) {
  const time = { now: startTime };
  const clock = { now: () => time.now };
  const memory = memoryDataStore(clock);
  let calls = 0;
  const slowly =
    <Wanted extends unknown[], Deleted>(deleted: (...wanted: Wanted) => Promise<Deleted>) =>
    async (...wanted: Wanted): Promise<Deleted> => {
      if (calls++ > 0) await mayGoOn();
      time.now += 6e6;
      return deleted(...wanted);
    };
  const slow = <Stores extends Pick<DataStore, 'tabular' | 'binary'>>(stores: Stores): Stores => ({
    ...stores,
    tabular: { ...stores.tabular, delete: slowly(stores.tabular.delete) },
    binary: { ...stores.binary, delete: slowly(stores.binary.delete) },
  });
  const store: DataStore = { ...slow(memory), as: (actor) => slow(memory.as(actor)) };
  return { ...(await startDataService({ store, clock })), store, time };
}

type Slow = Awaited<ReturnType<typeof startSlow>>;

const kinds = [
  {
    what: 'readings',
    operation: 'DeleteTabularData',
    all: 4100n,
    left: 2100n,
    fill: async ({ store }: Slow) => {
      const rows = Array.from({ length: 4100 }, (_, n) =>
        tabularRow(`row-${n}`, { organizationId: 'a', timeSynced: 1 }),
      );
      await store.tabular.insert(rows, anonymousReceipt());
    },
    remove: ({ owner }: Slow) => owner.data.deleteTabularData({ organizationId: 'a' }),
    add: async ({ owner }: Slow) => void (await uploadReading(owner, { kg: 1 })),
    changed: 'readings',
  },
  {
    what: 'files',
    operation: 'DeleteBinaryDataByFilter',
    all: 450n,
    left: 250n,
    fill: async ({ owner }: Slow) => {
      const many = Array.from({ length: 450 }, () => ({ data: { case: 'binary' as const, value: new Uint8Array(1) } }));
      await owner.sync.dataCaptureUpload({ metadata: { partId: 'yard-part' }, sensorContents: many });
      await uploadPicture(owner, { partId: 'lab-part' });
    },
    remove: ({ owner }: Slow) =>
      owner.data.deleteBinaryDataByFilter({ filter: { organizationIds: ['a'], locationIds: ['yard'] } }),
    add: async ({ owner }: Slow) => void (await uploadPicture(owner, { partId: 'yard-part' })),
    changed: 'file',
  },
] as const;

describe.each(kinds)('$operation of more than are deleted in 5 s', (kind) => {
  const { what, all, left, fill, remove, add, changed } = kind;
  const others = what === 'files' ? 1n : 0n;
  const usageOf = async (slow: Slow) => {
    const usage = await slow.owner.of(StorageService).getUsage({ organizationId: 'a' });
    const toDelete = { files: usage.filesToDelete, readings: usage.readingsToDelete };
    expect(toDelete[what === 'files' ? 'readings' : 'files']).toBe(0n);
    return [usage[what]!.count - others, toDelete[what]];
  };
  async function startFilled(mayGoOn: () => Promise<void>): Promise<Slow> {
    const slow = await startSlow(mayGoOn);
    await fill(slow);
    return slow;
  }

  it('answers with how many go in all, goes on, and leaves what came after the answer', async () => {
    const goesOn = deferred();
    const slow = await startFilled(() => goesOn.promise);
    expect(await remove(slow)).toMatchObject({ deletedCount: all });
    expect(await usageOf(slow)).toEqual([left, left]);
    slow.time.now++;
    await add(slow);
    goesOn.resolve();
    await expect.poll(() => usageOf(slow)).toEqual([1n, 0n]);
    const { changes } = await slow.owner.of(AuditService).listChanges({ organizationId: 'a', what: changed });
    expect(changes.map(({ count, before, actor }) => [before!['count'] ?? count, actor!.name])).toEqual([
      [Number(all), 'owner'],
    ]);
    const bytes = await collect(slow.store.blobs.list());
    expect(bytes).toHaveLength(what === 'files' ? 2 : 0);
    expect(slow.defects).toEqual([]);
  });

  it('is taken up where its host has ended', async () => {
    let isAway = true;
    const slow = await startFilled(async () => {
      if (isAway) throw new StoreError('unavailable', 'The store is closed.');
    });
    await remove(slow);
    const { signal } = new AbortController();
    await expect(takeUpDeletions(slow.store, signal)).rejects.toThrow('The store is closed.');
    expect(await usageOf(slow)).toEqual([left, left]);
    isAway = false;
    await takeUpDeletions(slow.store, signal);
    expect(await usageOf(slow)).toEqual([0n, 0n]);
    expect(await slow.store.deletions!.list(null)).toEqual([]);
    expect(slow.defects).toEqual([]);
  });

  it('is left to the host that is at it', async () => {
    const goesOn = deferred();
    const slow = await startFilled(() => goesOn.promise);
    await remove(slow);
    await takeUpDeletions(slow.store, new AbortController().signal);
    expect(await usageOf(slow)).toEqual([left, left]);
    goesOn.resolve();
    await expect.poll(() => slow.store.deletions!.list(null)).toEqual([]);
  });

  it('stops between two batches, and is kept as far as it is', async () => {
    const slow = await startFilled(async () => {
      throw new StoreError('unavailable', 'The store is closed.');
    });
    await remove(slow);
    await expect(takeUpDeletions(slow.store, AbortSignal.abort(new Error('the host ends')))).rejects.toThrow(
      'the host ends',
    );
    expect(await slow.store.deletions!.list('a')).toMatchObject([{ total: Number(all), deleted: Number(all - left) }]);
  });
});

describe('DeleteBinaryDataByFilter in batches of 200 that each take 6 s', () => {
  const upload = ({ owner }: Slow, files: number) => {
    const many = Array.from({ length: files }, () => ({ data: { case: 'binary' as const, value: new Uint8Array(1) } }));
    return owner.sync.dataCaptureUpload({ metadata: { partId: 'yard-part' }, sensorContents: many });
  };
  const remove = ({ owner }: Slow) => owner.data.deleteBinaryDataByFilter({ filter: { organizationIds: ['a'] } });

  it('tells after each batch how many are left', async () => {
    const [second, third] = [deferred(), deferred()];
    const gates = [second, third];
    const slow = await startSlow(() => gates.shift()!.promise);
    await upload(slow, 450);
    expect(await remove(slow)).toMatchObject({ deletedCount: 450n });
    const left = async () => (await slow.owner.of(StorageService).getUsage({ organizationId: 'a' })).filesToDelete;
    expect(await left()).toBe(250n);
    second.resolve();
    await expect.poll(left).toBe(50n);
    third.resolve();
    await expect.poll(left).toBe(0n);
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
