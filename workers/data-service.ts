import { localOwner, setUpLocalHome } from '../src/data-service/access/local-home.ts';
import { webCryptoSecrets } from '../src/data-service/access/web-crypto-secrets.ts';
import { dataServiceRoutes } from '../src/data-service/data-service-routes.ts';
import { defaultLimits } from '../src/data-service/dependencies.ts';
import { PipelineScheduler } from '../src/data-service/pipelines/pipeline-scheduler.ts';
import { IsolatedQueryRunner } from '../src/data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../src/data-service/query/query-rows.ts';
import { idbDataStore } from '../src/platform/browser/idb-data-store/idb-data-store.ts';
import { browserQueryWorkers } from '../src/platform/browser/query-worker.ts';
import { tickInOneTab } from '../src/platform/browser/tick-in-one-tab.ts';
import { answerChannelCalls } from '../src/rpc/answer-channel-calls.ts';

const startWorker = browserQueryWorkers(() => new Worker(new URL('./query.ts', import.meta.url), { type: 'module' }));
const clock = { now: () => Math.round((performance.timeOrigin + performance.now()) * 1000) };
const store = idbDataStore(clock);
const home = setUpLocalHome(store, clock);
const dependencies = {
  ...{ store, clock },
  ids: { next: () => crypto.randomUUID() },
  secrets: webCryptoSecrets(crypto),
  queryRunner: new IsolatedQueryRunner({ rows: readQueryRows(store), startWorker, clock, maxWorkers: 2 }),
  defects: { report: (error: unknown) => reportError(error) },
  limits: defaultLimits,
  withoutToken: localOwner,
  publicOrigin: () => self.location.origin,
  database: { absentBecause: 'A browser takes no connections: run `sightglass serve` for a database endpoint.' },
};
answerChannelCalls(self, dataServiceRoutes(dependencies), home);

const scheduler = new PipelineScheduler(dependencies);
const tick = (signal: AbortSignal): Promise<void> => scheduler.tick(signal).catch(dependencies.defects.report);
// Without a home (a browser that gives no storage) every call is told why, and there is nothing to schedule.
home.then(
  () => tickInOneTab('sightglass-data-pipelines', tick, 5_000),
  () => undefined,
);
