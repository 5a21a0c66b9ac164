import { openDB } from 'idb';
import { localHome } from '../../src/data-service/access/local-home.ts';
import { readResults } from '../../src/remote/links/replay-link.ts';
import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import { createDataClient } from '../../workers/data-service/client.ts';
import { recordedFrameAt, type Loads } from '../recorded-frames.ts';

const atOnce = 2000;

/** Stores `count` frames, then reads what was said of them from the browser's service, twice. */
async function measure(count: number): Promise<Loads> {
  const store = idbDataStore({ now: () => Date.now() * 1000 });
  for (let first = 0; first < count; first += atOnce) {
    const records = Array.from({ length: atOnce }, (_, at) => recordedFrameAt(first + at, localHome));
    const { organizationId } = localHome;
    const receipt = { organizationId, uploadId: `bench-${first}`, fromClient: false, fileId: '', binaryDataId: '' };
    await store.binary.insert(records, { ...receipt, timeSynced: first });
    console.info(`${first} of ${count} frames are stored`);
  }
  await store.close();
  const client = createDataClient(
    () => new Worker(new URL('../../workers/data-service/entry.ts', import.meta.url), { type: 'module' }),
  );
  await client.data.tagsByFilter({}); // the worker has started
  const load = async (): Promise<number> => {
    const startMs = performance.now();
    const { organizationId, partId } = localHome;
    const of = { organizationId, partId, serviceName: 'watch', kind: 'detections' } as const;
    let frames = 0;
    const { signal } = new AbortController();
    for await (const { columns } of readResults(client.transport, { ...of, startMs: 0, endMs: 1e13 }, signal)) {
      frames += columns.timesMs.length;
    }
    if (frames !== count) throw new Error(`Read ${frames} of ${count} frames.`);
    return performance.now() - startMs;
  };
  const loads = { firstMs: await load(), secondMs: await load() };
  const database = await openDB('sightglass-data');
  const startMs = performance.now();
  await database.getAll('resultSheets');
  return { ...loads, bareMs: performance.now() - startMs };
}

Object.assign(globalThis, { measure });
