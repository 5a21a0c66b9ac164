import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FootageFrame } from '../../src/footage/footage-frame.ts';
import { createIdbFootageStore } from '../../src/platform/browser/indexed-db/idb-footage-store.ts';
import type { FootageStore, KeptRun } from '../../src/ports/footage-store.ts';

const frame = (index: number): FootageFrame => ({
  index,
  timeMs: 40 * index,
  name: 'a.mp4',
  stages: [],
  failure: null,
  detections: null,
  classifications: { labels: ['cat'], score: Float64Array.of(index / 100) },
});
const run = (id: string, fingerprint = 'f'): KeptRun => ({ id, fingerprint, setup: {} as never, isWhole: false });

let name: string;
let store: FootageStore;
let nowMs = 0;
beforeEach(() => {
  name = `footage-${crypto.randomUUID()}`;
  store = createIdbFootageStore(2, name, () => ++nowMs);
});
afterEach(() => {
  indexedDB.deleteDatabase(name);
});

it('gives the frames of a run in their order, for another visit too', async () => {
  await store.append(run('one'), [frame(0), frame(1)]);
  await store.append(run('one'), [frame(2)]);
  await store.append(run('one!'), [frame(7)]); // its id begins like the other one
  await store.append(
    { ...run('one'), isWhole: true },
    [...Array(9).keys()].map((at) => frame(3 + at)),
  );
  const again = createIdbFootageStore(2, name);
  expect(await again.frames('one')).toEqual([...Array(12).keys()].map(frame));
  expect(await again.runs('f')).toMatchObject([{ id: 'one', isWhole: true }, { id: 'one!' }]);
  expect(await again.runs('another')).toEqual([]);
});

it('forgets the runs that were used longest ago, with their frames', async () => {
  for (const id of ['one', 'two', 'three']) await store.append(run(id), [frame(0)]);
  expect((await store.runs('f')).map(({ id }) => id)).toEqual(['three', 'two']);
  expect([await store.frames('one'), (await store.frames('two')).length]).toEqual([[], 1]);
});

it('says so where there is no room', async () => {
  const broken = { ...frame(0), name: (() => '') as never }; // cannot be stored
  await expect(store.append(run('one'), [broken])).rejects.toMatchObject({ name: 'BrowserStoreError' });
  expect(await store.frames('one')).toEqual([]);
});
