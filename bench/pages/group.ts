import { undivided } from '../../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../src/data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../../src/data-service/query/query-rows.ts';
import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import { browserQueryWorkers } from '../../workers/query/client.ts';
import { fillReadings, groupTimes, type GroupTimes } from './group-rows.ts';

async function measure(days: number, rounds: number): Promise<GroupTimes> {
  const clock = { now: () => Date.now() * 1000 };
  const name = `group-${days}`;
  const store = idbDataStore(clock, name);
  const startWorker = browserQueryWorkers(
    () => new Worker(new URL('../../workers/query/entry.ts', import.meta.url), { type: 'module' }),
  );
  const runner = new IsolatedQueryRunner({ rows: readQueryRows(store), startWorker, clock, turns: undivided(2) });
  await fillReadings(store, days);
  const times = await groupTimes(runner, days, rounds);
  runner.close();
  await store.close();
  indexedDB.deleteDatabase(name);
  return times;
}

Object.assign(globalThis, { measure });
