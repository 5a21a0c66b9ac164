import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openSqliteDataStore,
  type OpenDataStore,
} from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { testClock } from './data-store/blobs.ts';
import { anonymousReceipt, idsOf, scanOf, tabularFilter } from './data-store/captures.ts';
import { hinted, rowOf, temperatureIndex, temperatures } from './data-store/indexes.ts';

describe('an index of a client in SQLite', () => {
  let folder: string;
  let store: OpenDataStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightglass-indexes-'));
    store = await openSqliteDataStore(folder, testClock);
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it.each(hinted.filter(([, { path }]) => path === temperatureIndex.key[0]!.path))(
    'leaves out the other rows where the field is %s',
    async (name, hint, expected) => {
      await store.indexes.create(temperatureIndex);
      await store.tabular.insert(temperatures.map(rowOf), anonymousReceipt());
      const found = idsOf(await store.tabular.pageByHints(scanOf(tabularFilter()), [hint]));
      // NaN has the place below all numbers: a candidate that the query itself turns down
      const candidates = name === 'below a number' ? [...expected, 'nan'] : expected;
      expect([...found].sort()).toEqual([...candidates].sort());
    },
  );

  it.each([
    [{ key: [{ path: 'component_name', direction: 1 }] }, /"component_name" is no field of data.*indexed always/],
    [{ options: '{"unique":true}' }, /option "unique" is not supported/],
    [{ collection: { kind: 'pipeline-sink', pipelineName: 'p' } }, /results of pipelines are read whole/],
  ] as const)('is refused where it would speed up nothing: %o', async (changes, message) => {
    const create = store.indexes.create({ ...temperatureIndex, ...changes });
    await expect(create).rejects.toMatchObject({ code: 'unsupported', message: expect.stringMatching(message) });
  });
});
