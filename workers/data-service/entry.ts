import { setUpLocalHome } from '../../src/data-service/face/local-home.ts';
import { dataServiceRoutes } from '../../src/data-service/face/routes.ts';
import { deleteOutdated, sweepBlobs } from '../../src/data-service/face/files.ts';
import { PipelineScheduler } from '../../src/data-service/face/pipelines.ts';
import { browserClock } from '../../src/platform/browser/data-service/browser-clock.ts';
import { idbChangeRule } from '../../src/platform/browser/indexed-db/idb-change-rule.ts';
import { browserDataService } from '../../src/platform/browser/data-service/browser-data-service.ts';
import { once } from '../../src/base/schedule/once.ts';
import { browserQueryWorkers } from '../query/client.ts';
import { tickInOneTab } from '../../src/platform/browser/locks/tick-in-one-tab.ts';
import { answerChannelCalls } from './channel/answer-channel-calls.ts';
import { tellThatRunning } from '../boundary/worker-life.ts';

const startQueryWorker = browserQueryWorkers(
  () => new Worker(new URL('../query/entry.ts', import.meta.url), { type: 'module' }),
);
const dependencies = browserDataService({ clock: browserClock, startQueryWorker, onDataLetGo: () => home.forget() });
// If the home organization cannot be set up (the browser gives no storage), every call rejects with the reason, and
// the next call tries again. If the data was deleted while this page is open, the home is set up again.
const home = once(() => setUpLocalHome(dependencies.store, dependencies.clock));
answerChannelCalls(self, dataServiceRoutes(dependencies), home);
void tellThatRunning(self, 'data-service');

// Schedules and sweeps need the stored data; a failure is reported, and the next round tries again.
const withHome = (operation: string, work: (signal: AbortSignal) => Promise<unknown>) => (signal: AbortSignal) =>
  home().then(
    () => work(signal).catch((error: unknown) => dependencies.defects.report(error, { operation })),
    () => undefined,
  );
const scheduler = new PipelineScheduler(dependencies);
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const changeRule = idbChangeRule();
tickInOneTab(
  'sightglass-data-pipelines',
  withHome('schedule', (signal) => scheduler.tick(signal)),
  5_000,
);
tickInOneTab(
  'sightglass-data-sweep',
  withHome('sweep', () => sweepBlobs(dependencies, dayMs)),
  dayMs,
);
tickInOneTab(
  'sightglass-data-retention',
  withHome('retention', async (signal) => {
    const days = await changeRule.days();
    if (days === null) return;
    await deleteOutdated(dependencies, { filesMs: null, readingsMs: null, auditMs: days * dayMs }, signal);
  }),
  hourMs,
);
