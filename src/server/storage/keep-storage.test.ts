import { beforeEach, describe, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  startTime,
  uploadPicture,
  uploadReading,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { LabelService, type Task } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import type { DataStore } from '../../data-service/ports/data-store.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { keepStorage, type KeptStorage, type StorageRules } from './keep-storage.ts';
import { testDisk, type TestDisk } from './test-disk.ts';

const { signal } = new AbortController();
const day = 86_400 * 1e6;
const rules: StorageRules = {
  limits: { keepFreeBytes: 1e9, budgetBytes: null },
  retention: { filesMs: null, readingsMs: null, auditMs: null },
  overBudget: 'refuse',
};

let time: { ms: number };
let disk: TestDisk;
let inner: DataStore;
beforeEach(() => {
  time = { ms: 0 };
  disk = testDisk();
  inner = memoryDataStore({ now: () => startTime });
});

async function serviceOver(changes: Partial<StorageRules>): Promise<{ service: TestService; storage: KeptStorage }> {
  const storage = keepStorage(inner, disk, { ...rules, ...changes }, () => time.ms);
  return { service: await startDataService({ store: storage.store }), storage };
}

const rest = () => [disk, rules, () => time.ms] as const;

const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error as Error).message,
  );
const counts = async ({ owner }: TestService) => [
  Number((await owner.data.binaryDataByFilter({ countOnly: true })).count),
  Number((await owner.data.tabularDataByFilter({ countOnly: true })).count),
];

describe('a full disk', () => {
  it('takes no uploads, in words, and lets people read and delete; with room it takes them again', async () => {
    const { service, storage } = await serviceOver({});
    const id = await uploadPicture(service.owner);
    await uploadReading(service.owner, { kg: 1 });
    disk.free = 999e6;
    time.ms += 1000;
    expect(await storage.room.fullDisk()).toMatch(/999 MB left, of which 1 GB are kept free/);
    expect(await codeOf(uploadPicture(service.owner))).toBe('ResourceExhausted');
    expect(await messageOf(uploadReading(service.owner, { kg: 1 }))).toMatch(/999 MB left.*until data is deleted/);
    expect(await counts(service)).toEqual([1, 1]);
    await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
    await service.owner.data.deleteTabularData({ organizationId: 'a', deleteOlderThanDays: 0 });
    expect(await counts(service)).toEqual([0, 0]);
    disk.free = 1e9;
    time.ms += 1000;
    await uploadPicture(service.owner);
    expect([await storage.room.fullDisk(), await counts(service)]).toEqual([null, [1, 0]]);
    expect(service.defects).toEqual([]);
  });

  it('takes nothing that people make of captures either, and lets them take away, check and hand in', async () => {
    const { service } = await serviceOver({});
    const { data, datasets } = service.owner;
    const labels = service.owner.of(LabelService);
    const id = await uploadPicture(service.owner, { tags: ['old'] });
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    const box = { label: 'cup', ...corners };
    const { bboxId } = await data.addBoundingBoxToImageByID({ binaryDataId: id, ...box });
    const me = { kind: 'key', id: service.keys.owner.id, name: 'owner' };
    const assigning = { organizationId: 'a', binaryDataIds: [id], assignees: [me], mode: 'every' };
    await labels.assignImages(assigning);
    const [task] = (await labels.listTasks({ organizationId: 'a' })).tasks as [Task];
    const drawn = (await labels.setTaskBoxes({ id: task.id, version: 1n, boxes: [box, box] })).task!;
    disk.reserve = true;
    disk.free = 999e6;
    time.ms += 1000;
    const seen = { id: task.id, version: drawn.version };
    const refused: Readonly<Record<string, () => Promise<unknown>>> = {
      tag: () => data.addTagsToBinaryDataByIDs({ binaryDataIds: [id], tags: ['new'] }),
      box: () => data.addBoundingBoxToImageByID({ binaryDataId: id, ...box }),
      label: () => data.updateBoundingBox({ binaryDataId: id, bboxId, label: 'mug' }),
      draw: () => labels.setTaskBoxes({ ...seen, boxes: [...drawn.boxes, box] }),
      comment: () => labels.addComment({ binaryDataId: id, text: 'No.' }),
      dataset: () => datasets.createDataset({ organizationId: 'a', name: 'cups' }),
    };
    for (const [name, call] of Object.entries(refused))
      expect([name, await messageOf(call())]).toEqual([name, expect.stringMatching(/999 MB left/)]);
    expect(disk.reserve).toBe(true);
    await data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [id], tags: ['old'] });
    await data.removeBoundingBoxFromImageByID({ binaryDataId: id, bboxId });
    const less = (await labels.setTaskBoxes({ ...seen, boxes: drawn.boxes.slice(0, 1) })).task!;
    await labels.setTaskState({ id: task.id, version: less.version, state: 'done' });
    await labels.deleteTasks({ ids: [task.id] });
    expect(service.defects).toEqual([]);
  });

  it('is asked once a second at most', async () => {
    let asked = 0;
    disk.freeBytes = async () => {
      asked++;
      return 10e9;
    };
    const { service } = await serviceOver({});
    for (let n = 0; n < 5; n++) await uploadPicture(service.owner);
    expect(asked).toBe(1);
    time.ms += 1000;
    await uploadPicture(service.owner);
    expect(asked).toBe(2);
  });

  it('ends an upload in the midst of a large file', async () => {
    const { storage } = await serviceOver({});
    async function* large() {
      yield new Uint8Array(16 * 2 ** 20);
      disk.free = 0;
      time.ms += 1000;
      yield new Uint8Array(16 * 2 ** 20);
    }
    await expect(storage.store.blobs.put(large(), signal)).rejects.toThrow(/Nothing more is stored/);
  });

  it('deletes by giving its reserve up, and says that it is full where there is none', async () => {
    const { service } = await serviceOver({});
    const [one, two] = [await uploadPicture(service.owner), await uploadPicture(service.owner)];
    const remove = inner.binary.delete;
    const whileReserved: typeof remove = (...args) =>
      disk.reserve ? Promise.reject(new StoreError('resource-exhausted', 'full')) : remove(...args);
    const { store } = keepStorage({ ...inner, binary: { ...inner.binary, delete: whileReserved } }, ...rest());
    disk.reserve = true;
    expect(await store.binary.delete('a', [one])).toHaveLength(1);
    expect(disk.reserve).toBe(false);

    const always = () => Promise.reject(new StoreError('resource-exhausted', 'full'));
    const full = keepStorage({ ...inner, binary: { ...inner.binary, delete: always } }, ...rest()).store;
    await expect(full.binary.delete('a', [two])).rejects.toThrow('full');
  });
});

describe('retention', () => {
  it('deletes by the rules and tells how much', async () => {
    const ninetyDays = { filesMs: 90 * 86_400_000, readingsMs: null, auditMs: null };
    const { service, storage } = await serviceOver({ retention: ninetyDays });
    await uploadPicture(service.owner, {}, startTime - 91 * day);
    await uploadReading(service.owner, { kg: 1 }, startTime - 91 * day);
    expect(await storage.keep(signal, false)).toEqual({ files: 0, readings: 0 });
    expect(await storage.keep(signal, true)).toEqual({ files: 1, readings: 0 });
    expect(await counts(service)).toEqual([0, 1]);
    expect(disk.reserve).toBe(true);
  });

  it('holds no reserve on a disk without room', async () => {
    const { storage } = await serviceOver({});
    disk.free = 1;
    await storage.keep(signal, true);
    expect(disk.reserve).toBe(false);
  });
});

describe('a disk budget', () => {
  // a thousand bytes of rows, and files of a hundred bytes a day apart
  const limits = { keepFreeBytes: 0, budgetBytes: 2000 };
  const fill = async (service: TestService, files: number) => {
    for (let n = 0; n < files; n++) {
      await uploadPicture(service.owner, {}, startTime - n * day, 'x'.repeat(100));
      time.ms += 1000;
    }
  };

  it('refuses uploads in words unless told otherwise', async () => {
    const { service, storage } = await serviceOver({ limits });
    await fill(service, 10);
    expect(await messageOf(uploadPicture(service.owner))).toMatch(/takes 2 kB, and its budget is 2 kB.*raised/);
    expect(await storage.keep(signal, true)).toEqual({ files: 0, readings: 0 });
    expect(await storage.room.fullDisk()).toBeNull(); // ready: it can be read
    await service.owner.data.deleteBinaryDataByFilter({ filter: { organizationIds: ['a'] } });
    time.ms += 1000;
    expect(await codeOf(uploadPicture(service.owner))).toBe('ok');
  });

  it('lets the oldest go before it is used up, where told so', async () => {
    const { service, storage } = await serviceOver({ limits, overBudget: 'delete-oldest' });
    await fill(service, 9);
    expect(await storage.keep(signal, true)).toEqual({ files: 0, readings: 0 });
    await fill(service, 1);
    expect(await storage.keep(signal, true)).toEqual({ files: 2, readings: 0 });
    const { data } = await service.owner.data.binaryDataByFilter({ dataRequest: { limit: 100n } });
    const ages = data.map(({ metadata }) => (startTime / 1e6 - Number(metadata!.timeRequested!.seconds)) / 86_400);
    expect(Math.max(...ages)).toBe(6);
  });
});
