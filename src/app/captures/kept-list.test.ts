import { expect, it } from 'vitest';
import { parcelOf } from '../../../tests/contract/capture-entries.ts';
import { CaptureStoreError } from '../../evidence/capture/capture-store.ts';
import { memoryCaptureStore } from '../../../tests/memory-capture-store.ts';
import { KeptList } from './kept-list.svelte.ts';

const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at).padStart(5, '0'));

it('reads as far as it is looked at, newest first', async () => {
  const store = memoryCaptureStore();
  await store.put(ids(450).map((id) => parcelOf(id)));
  const list = new KeptList(store);
  await list.refresh();
  expect([list.count, list.items.length, list.items[0]!.id]).toEqual([450, 200, '00449']);
  await list.want(401);
  expect([list.items.length, list.items.at(-1)!.id]).toEqual([450, '00000']);
});

it('follows what any tab keeps, corrects and removes', async () => {
  const store = memoryCaptureStore();
  const list = new KeptList(store);
  await store.put([parcelOf('a'), parcelOf('b', 'more pixels')]);
  await list.refresh();
  expect(list.items.map(({ id }) => id)).toEqual(['b', 'a']);
  await store.correct('a', { tags: ['dusk'], boxes: [] }, 1);
  await store.remove(['b']);
  await list.refresh();
  expect(list.items).toMatchObject([{ id: 'a', tags: ['dusk'], corrected: true, name: 'webcam-000000.jpg' }]);
  expect([list.count, list.sizeBytes]).toEqual([1, 'pixels of a'.length]);
});

it('says why it cannot be read, and reads again later', async () => {
  const store = memoryCaptureStore();
  let broken = true;
  const list = new KeptList({
    ...store,
    page: async (before, limit) => {
      if (broken) throw new CaptureStoreError('unavailable', 'The storage broke off.');
      return store.page(before, limit);
    },
  });
  await list.refresh();
  expect(list.fault).toMatchObject({ message: 'The storage broke off.' });
  broken = false;
  await list.refresh();
  expect(list.fault).toBeNull();
});
