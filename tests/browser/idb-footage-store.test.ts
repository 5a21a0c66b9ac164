import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FootageFrame } from '../../src/evidence/footage/footage-frame.ts';
import { createIdbFootageStore } from '../../src/platform/browser/indexed-db/idb-footage-store.ts';
import type { FootageStore, KeptRun } from '../../src/platform/ports/footage-store.ts';

const frame = (index: number): FootageFrame => ({
  index,
  timeMs: 40 * index,
  name: 'a.mp4',
  stages: [],
  failure: null,
  detections: null,
  classifications: { labels: ['cat'], score: Float64Array.of(index / 100) },
});
const run = (id: string, last = -1, fingerprint = 'f'): KeptRun => ({
  id,
  fingerprint,
  setup: {} as never,
  count: last + 1,
  last: last < 0 ? null : { index: last, timeMs: 40 * last },
  isWhole: false,
});
const range = (from: number, to: number): FootageFrame[] =>
  Array.from({ length: to - from }, (_, at) => frame(from + at));

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

it('gives the frames of a run in their order, page by page, for another visit too', async () => {
  await store.append(run('one', 1), range(0, 2));
  await store.append(run('one', 250), range(2, 251));
  await store.append({ ...run('one!', 7), count: 1 }, [frame(7)]); // its id begins like the other one
  await store.append(run('one', 599), range(251, 600));
  await store.append({ ...run('one', 599), isWhole: true }, []);
  const again = createIdbFootageStore(2, name, () => nowMs);
  expect(await Promise.all([0, 1, 2, 3].map((page) => again.page('one', page)))).toEqual([
    range(0, 256),
    range(256, 512),
    range(512, 600),
    [],
  ]);
  expect(await again.page('one!', 0)).toEqual([frame(7)]);
  expect(await again.runs('f')).toMatchObject([{ id: 'one', count: 600, isWhole: true }, { id: 'one!' }]);
  expect(await again.runs('another')).toEqual([]);
});

it('has each frame once, though two tabs go on with a run, and what the further one says of it', async () => {
  await store.append(run('one', 9), range(0, 10));
  await store.append(run('one', 19), range(10, 20));
  await store.append(run('one', 11), range(5, 12)); // the slower tab
  expect(await store.page('one', 0)).toEqual(range(0, 20));
  expect(await store.runs('f')).toMatchObject([{ id: 'one', count: 20, last: { index: 19 } }]);
});

it('clears what another version kept in another form', async () => {
  await new Promise<void>((resolve) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      const runs = opening.result.createObjectStore('runs', { keyPath: 'id' });
      runs.createIndex('fingerprint', 'fingerprint');
      runs.put({ id: 'old', fingerprint: 'f', setup: {}, isWhole: false, usedMs: 1 });
      opening.result.createObjectStore('frames').put([frame(0)], ['old', 0]);
    };
    opening.onsuccess = () => resolve(opening.result.close());
  });
  expect(await store.runs('f')).toEqual([]);
  await store.append(run('one', 0), [frame(0)]);
  expect(await store.page('one', 0)).toEqual([frame(0)]);
});

it('forgets the runs that were used longest ago, with their frames', async () => {
  for (const id of ['one', 'two', 'three']) await store.append(run(id, 0), [frame(0)]);
  expect((await store.runs('f')).map(({ id }) => id)).toEqual(['three', 'two']);
  expect([await store.page('one', 0), (await store.page('two', 0))!.length]).toEqual([null, 1]);
});

it('forgets no run that is read meanwhile', async () => {
  for (const id of ['one', 'two']) await store.append(run(id, 0), [frame(0)]);
  nowMs += 5000;
  await store.page('one', 0);
  await store.append(run('three', 0), [frame(0)]);
  expect((await store.runs('f')).map(({ id }) => id)).toEqual(['three', 'one']);
});

it('adds no frames to a run that is gone: the rest would pass for the whole', async () => {
  await store.append(run('one', 0), [frame(0)]);
  for (const id of ['two', 'three']) await store.append(run(id, 0), [frame(0)]);
  await expect(store.append(run('one', 1), [frame(1)])).rejects.toThrow('are gone from this browser');
  expect((await store.runs('f')).map(({ id }) => id)).toEqual(['three', 'two']);
});

it('says so where there is no room', async () => {
  const broken = { ...frame(0), name: (() => '') as never }; // cannot be stored
  await expect(store.append(run('one', 0), [broken])).rejects.toMatchObject({ name: 'BrowserStoreError' });
  expect([await store.page('one', 0), await store.runs('f')]).toEqual([null, []]);
});
