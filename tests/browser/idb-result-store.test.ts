import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RawImage } from '../../src/platform/ports/raw-image.ts';
import type { ResultStore, RunRecord } from '../../src/platform/ports/result-store.ts';
import { createIdbResultStore } from '../../src/platform/browser/indexed-db/idb-result-store.ts';

const raw = (score: number): RawImage => ({
  widthPx: 10,
  heightPx: 10,
  labels: ['cat'],
  labelIndex: Uint32Array.of(0),
  score: Float64Array.of(score),
  box: Float64Array.of(0, 0, 1, 1),
  seen: null,
  classes: null,
});

const record = (key: string, datasetId: string, endedMs: number): RunRecord => ({
  key,
  datasetId,
  serviceName: 'finder',
  modelName: 'a.onnx',
  sha256: 'aa',
  backend: 'WASM',
  configText: '{}',
  imageCount: 1,
  endedMs,
});

describe('the store of results in IndexedDB', () => {
  let name: string;
  let store: ResultStore;
  let nowMs = 0;
  const keysOf = async (datasetId: string) => (await store.records(datasetId)).map(({ key }) => key);

  beforeEach(() => {
    name = `results-${crypto.randomUUID()}`;
    store = createIdbResultStore(2, name, () => ++nowMs);
  });
  afterEach(() => {
    indexedDB.deleteDatabase(name);
  });

  it('finds the results of a run by image, for another visit too', async () => {
    expect(await store.put('float', 'a', raw(0.9))).toBe(true);
    const found = await createIdbResultStore(2, name).find('float', ['a', 'b']);
    expect([...found].map(([id, { score }]) => [id, ...score])).toEqual([['a', 0.9]]);
    expect(await store.find('int8', ['a'])).toEqual(new Map());
  });

  it('tells the runs of a dataset, the latest first, each once', async () => {
    await store.note(record('float', 'pets', 1));
    await store.note(record('int8', 'pets', 3));
    await store.note(record('float', 'cars', 2));
    expect(await keysOf('pets')).toEqual(['int8', 'float']);
    await store.note({ ...record('float', 'pets', 4), configText: '{ "later": 1 }' });
    expect(await keysOf('pets')).toEqual(['float', 'int8']);
    expect((await store.records('pets'))[0]!.configText).toBe('{ "later": 1 }');
    expect(await keysOf('cars')).toEqual(['float']);
  });

  it('forgets the runs that were used longest ago, with what was noted of them', async () => {
    for (const key of ['one', 'two', 'three']) {
      await store.find(key, []); // marks the entry as recently used
      await store.put(key, 'a', raw(0.5));
      await store.note(record(key, 'pets', 1));
    }
    expect((await keysOf('pets')).toSorted()).toEqual(['three', 'two']);
    expect(await store.find('one', ['a'])).toEqual(new Map());
  });

  it('keeps the results of the version before, which noted no runs', async () => {
    const before = await openDB(name, 1, {
      upgrade(database) {
        database.createObjectStore('runs', { keyPath: 'key' }).createIndex('usedMs', 'usedMs');
        database.createObjectStore('results');
      },
    });
    before.close();
    await store.put('float', 'a', raw(0.9));
    expect((await store.find('float', ['a'])).size).toBe(1);
    expect(await store.records('pets')).toEqual([]);
  });
});
