import { setUpLocalHome } from '../src/data-service/access/local-home.ts';
import { dataServiceRoutes } from '../src/data-service/data-service-routes.ts';
import { PipelineScheduler } from '../src/data-service/pipelines/pipeline-scheduler.ts';
import { browserClock } from '../src/platform/browser/browser-clock.ts';
import { browserDataService } from '../src/platform/browser/browser-data-service.ts';
import { once } from '../src/platform/browser/once.ts';
import { browserQueryWorkers } from '../src/platform/browser/query-worker.ts';
import { randomId } from '../src/platform/browser/random-id.ts';
import { tickInOneTab } from '../src/platform/browser/tick-in-one-tab.ts';
import { answerChannelCalls } from '../src/rpc/answer-channel-calls.ts';
import { tellThatRunning } from '../src/rpc/worker-life.ts';

const startQueryWorker = browserQueryWorkers(
  () => new Worker(new URL('./query.ts', import.meta.url), { type: 'module' }),
);
const dependencies = browserDataService({ clock: browserClock, startQueryWorker });
// Without a home (a browser that gives no storage) every call is told why, and the next one tries again.
const home = once(() => setUpLocalHome(dependencies.store, dependencies.clock));
answerChannelCalls(self, dataServiceRoutes(dependencies), home);
tellThatRunning(self, `sightglass-data-service-${randomId()}`);

const scheduler = new PipelineScheduler(dependencies);
const tick = (signal: AbortSignal): Promise<void> =>
  home().then(
    () =>
      scheduler
        .tick(signal)
        .catch((error: unknown) => dependencies.defects.report(error, { operation: 'the schedule' })),
    () => undefined, // nothing can be scheduled where nothing is kept
  );
tickInOneTab('sightglass-data-pipelines', tick, 5_000);
