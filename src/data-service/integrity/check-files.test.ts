import { expect, it } from 'vitest';
import { collect, startDataService, startTime, uploadPicture } from '../../../tests/data-service-fixture.ts';
import { checkFiles } from './check-files.ts';

const atOnce = (): Promise<void> => Promise.resolve();

it('names every file whose bytes are lost, fewer or others, of all organizations, and goes on where it was', async () => {
  const { owner, stranger, dependencies } = await startDataService();
  const { store } = dependencies;
  const ids: string[] = [];
  for (let n = 0; n < 120; n++) ids.push(await uploadPicture(owner, {}, startTime + n, `file ${n}`));
  const ofOther = await uploadPicture(stranger, { partId: 'ship-part' }, startTime, 'of b');
  const faults = new Map([
    [ids[3]!, 'lost'],
    [ids[7]!, 'resized'],
    [ids[110]!, 'changed'],
    [ofOther, 'lost'],
  ]);
  const faultAt = new Map<string, string>();
  for (const [id, fault] of faults) {
    const [record] = await store.binary.get(id.split('/')[0]!, [id]);
    faultAt.set(record!.blobAddress, fault);
  }
  const open = store.blobs.open.bind(store.blobs);
  store.blobs.open = async (address) => {
    const blob = (await open(address))!;
    const fault = faultAt.get(address);
    if (fault === 'lost') return null;
    if (fault === 'resized') return { ...blob, sizeBytes: 3 };
    return fault === 'changed' ? { ...blob, read: async () => Buffer.from('file xxx') } : blob;
  };
  let bytes = 0;
  const pace = async (count: number): Promise<void> => void (bytes += count);
  const checked = await collect(checkFiles(store, null, pace));
  expect(checked).toHaveLength(121);
  const found = checked.flatMap(({ record, damage }) => (damage ? [[record.id, damage.fault] as const] : []));
  expect(new Map(found)).toEqual(faults);
  expect(bytes).toBeGreaterThan(117 * 6);

  const rest = await collect(checkFiles(store, checked[104]!.position, atOnce));
  expect(rest.map(({ record }) => record.id)).toEqual(checked.slice(105).map(({ record }) => record.id));
  await owner.data.deleteBinaryDataByIDs({ binaryDataIds: ids });
  expect(await collect(checkFiles(store, checked[104]!.position, atOnce))).toHaveLength(1);
});
