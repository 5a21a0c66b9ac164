import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undivided } from '../../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../src/data-service/query/isolated-query-runner.ts';
import { nodeQueryWorkers } from '../../src/platform/node/query-worker.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { median, type Figure, type Measurement } from '../figure.ts';
import { fillReadings, groupTimes, type GroupTimes } from '../pages/group-rows.ts';

const rounds = 15;
/** Days of data in the store. The query reads three days: an eighth of the rows of 24 days, or all rows of three. */
const spans = [24, 3] as const;

export const figure: Figure = {
  title: 'a filtered $group over three days out of 100,000 stored readings against mingo over an array of just those',
  async measure({ measureOnDisk, note }) {
    const measurements: Measurement[] = [];
    for (const days of spans) measurements.push(ratio('SQLite', await inSqlite(days), note));
    for (const days of spans) {
      measurements.push(ratio('IndexedDB', await measureOnDisk<GroupTimes>('group', days, rounds), note));
    }
    return measurements;
  },
};

async function inSqlite(days: number): Promise<GroupTimes> {
  const clock = { now: () => Date.now() * 1000 };
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-group-'));
  const store = await openSqliteDataStore(folder, clock);
  const runner = new IsolatedQueryRunner({
    rows: null,
    startWorker: nodeQueryWorkers({ databasePath: store.databasePath }),
    clock,
    turns: undivided(2),
  });
  try {
    await fillReadings(store, days);
    return await groupTimes(runner, days, rounds);
  } finally {
    runner.close();
    await store.close();
    await rm(folder, { recursive: true });
  }
}

function ratio(store: string, { windowRows, queries, peers }: GroupTimes, note: (text: string) => void): Measurement {
  const spread = (times: readonly number[]) =>
    `${median(times).toFixed(1)} ms (${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)})`;
  const rows = windowRows.toLocaleString('en');
  note(`${store}, ${rows} rows: query ${spread(queries)}, mingo ${spread(peers)}`);
  return {
    name: `${store}, ${rows} rows in the window`,
    value: median(queries) / median(peers),
    unit: '×',
    atMost: 1.5,
  };
}
