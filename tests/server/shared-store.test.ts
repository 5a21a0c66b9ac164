import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'bson';
import { expect, it, onTestFinished } from 'vitest';
import { nodeQueryWorkers } from '../../src/platform/node/query-worker.ts';
import {
  openSqliteDataStore,
  type OpenDataStore,
} from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { PipelineScheduler } from '../../src/data-service/pipelines/pipeline-scheduler.ts';
import { undivided } from '../../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../src/data-service/query/isolated-query-runner.ts';
import { systemClock } from '../../src/server/start-data-host.ts';
import { tabularRow, anonymousReceipt } from '../contract/data-store/captures.ts';
import { startServerProcess, temporaryFolder } from './server-process.ts';

const minute = 60 * 1e6;
const hour = 60 * minute;
const windows = 20;

it('two hosts on one folder run each window once, also the one whose host was killed at it', async () => {
  const folder = await temporaryFolder();
  const store = await openSqliteDataStore(folder, systemClock);
  onTestFinished(() => store.close());
  const now = systemClock.now();
  // The window before this hour may still wait for late data, so only older windows are checked.
  const firstStart = Math.floor(now / hour) * hour - (windows + 1) * hour;
  const rows = Array.from({ length: windows }, (_, n) =>
    tabularRow(`row-${n}`, { timeRequested: firstStart + n * hour + minute, timeSynced: now - 2 * hour }),
  );
  await store.tabular.insert(rows, anonymousReceipt());
  const stages = [serialize({ $group: { _id: null, n: { $sum: 1 } } })];
  const times = { timeCreated: now, timeUpdated: now, timeEnabled: now };
  const pipeline = { id: 'p', organizationId: 'org', name: 'hourly', stages, schedule: '0 * * * *' };
  await store.pipelines.create({ ...pipeline, ...times, enabled: true, backfill: true, source: 'standard' });
  const end = firstStart + windows * hour;
  const latest = () => store.pipelines.latestRuns('p', { start: firstStart, end }, 100);
  const statuses = async () => (await latest()).map(({ status }) => status);

  const script = fileURLToPath(new URL('./hanging-scheduler.ts', import.meta.url));
  const lost = spawn(process.execPath, [script, folder, String(end)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(lost.stdout, 'data');
  lost.kill('SIGKILL');
  await once(lost, 'exit');
  expect(await statuses()).toEqual(['started']);

  // A folder can have only one server, but other processes may also run its pipelines.
  const server = await startServerProcess(folder);
  const completed = async () => (await statuses()).filter((status) => status === 'completed').length;
  const defects: unknown[] = [];
  const beside = schedulerOver(store, defects);
  while ((await completed()) < windows - 1) await beside.tick(new AbortController().signal);
  expect(await statuses()).toContain('started'); // the lease of the killed scheduler is still valid
  expect(await server.end('SIGTERM')).toBe(0);

  // For another scheduler on a machine whose clock is eleven minutes ahead, the lease has expired.
  const ahead = await openSqliteDataStore(folder, { now: () => systemClock.now() + 11 * minute });
  onTestFinished(() => ahead.close());
  const later = schedulerOver(ahead, defects);
  await later.tick(new AbortController().signal);
  expect(defects).toEqual([]);
  expect(await statuses()).toEqual(Array.from({ length: windows }, () => 'completed'));

  const runs = await store.pipelines.runs('p', null, 1000);
  const ofWindows = runs.filter(({ window }) => window.start < end);
  expect(ofWindows.filter(({ status }) => status === 'completed')).toHaveLength(windows);
  expect(ofWindows.filter(({ status }) => status === 'failed')).toHaveLength(1);
  const sink = (await store.pipelines.sink('p', null, 1000)).map(({ document }) => deserialize(document));
  const counts = sink.map(({ n, _viam_pipeline_run: run }) => [
    (run as { interval: { start: Date } }).interval.start.getTime() * 1000,
    n as number,
  ]);
  expect(counts.slice(0, windows)).toEqual(rows.map((_, n) => [firstStart + n * hour, 1]));
});

function schedulerOver(store: OpenDataStore, defects: unknown[]): PipelineScheduler {
  const startWorker = nodeQueryWorkers({ databasePath: store.databasePath });
  const queryRunner = new IsolatedQueryRunner({ rows: null, startWorker, clock: systemClock, turns: undivided(1) });
  onTestFinished(() => queryRunner.close());
  const ids = { next: () => randomUUID() };
  return new PipelineScheduler({ store, ids, queryRunner, defects: { report: (error) => defects.push(error) } });
}
