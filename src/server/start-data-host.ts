import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { webCryptoSecrets } from '../data-service/face/access.ts';
import { orphanAgeMs, sweepBlobs, takeUpDeletions } from '../data-service/face/files.ts';
import type { Clock, DataServiceDependencies, DataServiceLimits } from '../data-service/face/hosts.ts';
import { PipelineScheduler } from '../data-service/face/pipelines.ts';
import type { DataStore } from '../data-service/face/stores.ts';
import type { PasskeyCeremonies } from '../data-service/face/accounts.ts';
import { fairLimits, IsolatedQueryRunner } from '../data-service/face/queries.ts';
import type { StartQueryWorker } from '../data-service/face/query-engine.ts';
import { doAlone } from './storage/do-alone.ts';
import type { Log } from './http/log.ts';
import { StoreHealth } from './storage/store-health.ts';
import type { ClockWatch } from './storage/clock-watch.ts';
import type { KeptStorage } from './storage/keep-storage.ts';

// The time of day as it is set: what counts from the start of the process stands still while a machine sleeps.
export const systemClock: Clock = { now: () => Date.now() * 1000 };

/** How often due pipelines are looked for, ms. Tests, which wait for runs, shorten it; what is no number changes nothing. */
const tickEveryMs = Number(process.env['SIGHTGLASS_TICK_MS']) || 5_000;
const keepEveryMs = 60_000;
const sweepEveryMs = 24 * 60 * 60 * 1000;
/** Less, so that whoever has swept sweeps again. */
const sweptForMs = sweepEveryMs - 60 * 60 * 1000;
/** One that no organization can take alone, and one that no key of it can. */
const leastQueryWorkers = 4;

/** The data service over a store, with what runs beside its calls. */
export interface RunningDataService {
  readonly dependencies: DataServiceDependencies;
  /** the damage found so far */
  readonly health: StoreHealth;
  /** how many queries wait for their turn */
  waitingQueries(): number;
  /** Gives running pipelines up to other hosts and ends the query workers; the store stays open. */
  close(): void;
}

/** `startWorker`: of workers that read the store by themselves. */
export function startDataHost(
  store: DataStore,
  startWorker: StartQueryWorker,
  log: Log,
  {
    limits,
    publicOrigin,
    passkeys = null,
    queryWorkers = null,
    keep = null,
    clockWatch = null,
    takeUpIndexes = null,
  }: {
    readonly limits: DataServiceLimits;
    readonly publicOrigin: string | null;
    /** null: nobody logs in by a passkey */
    readonly passkeys?: PasskeyCeremonies | null;
    /** that run at once; null: as many as the machine has cores, and four at least */
    readonly queryWorkers?: number | null;
    /** looks after what is stored; null: nobody does */
    readonly keep?: KeptStorage['keep'] | null;
    /** null: its clock is always believed */
    readonly clockWatch?: ClockWatch | null;
    /** goes on with indexes that hosts have left half built or half deleted; null: nobody does */
    readonly takeUpIndexes?: (() => Promise<void>) | null;
  },
): RunningDataService {
  const clock = systemClock;
  const queryRunner = new IsolatedQueryRunner({
    rows: null,
    startWorker,
    clock,
    turns: fairLimits(queryWorkers ?? Math.max(leastQueryWorkers, availableParallelism())),
  });
  const health = new StoreHealth({
    report: (error, { operation }) => log.error({ err: error, operation }, 'a defect'),
  });
  const dependencies: DataServiceDependencies = {
    store,
    clock,
    queryRunner,
    limits,
    ids: { next: () => randomUUID() },
    secrets: webCryptoSecrets(crypto),
    defects: health,
    withoutToken: null,
    logIn: { passkeys, providerName: '' },
    publicOrigin: ({ url }) => publicOrigin ?? new URL(url).origin,
    database: { absentBecause: 'This server runs without its database endpoint; start it with --mongo-port.' },
  };
  const stopped = new AbortController();
  const scheduler = new PipelineScheduler(dependencies);
  const report = (operation: string) => (error: unknown) => {
    if (!stopped.signal.aborted) health.report(error, { operation });
  };
  const tick = (): void =>
    void scheduler
      .tick(stopped.signal)
      .then((isMoreDue) => isMoreDue && setImmediate(tick))
      .catch(report('pipelines'));
  let isClockBelieved = true;
  /** Whether data may be deleted for its age: one leap of a wrong clock would take all of it. */
  const believesClock = async (): Promise<boolean> => {
    const leap = (await clockWatch?.look()) ?? null;
    if (leap !== null && isClockBelieved) {
      const [lastSeen, now] = [leap.lastSeen, leap.now].map((time) => new Date(Math.floor(time / 1000)).toISOString());
      log.warn(
        { lastSeen, now },
        'the clock went on by more than a day: nothing is deleted by age until "sightglass clock confirm" says that it is right, or it is set right',
      );
    }
    if (leap === null && !isClockBelieved) log.info('the clock is believed again: data is deleted by age');
    isClockBelieved = leap === null;
    return isClockBelieved;
  };
  const sweep = (): void =>
    void believesClock()
      .then(async (isBelieved) => {
        // held until the next one is due: all hosts together sweep once
        const mayNow = isBelieved && (await store.leases.take('sweep', sweptForMs * 1000)) !== null;
        if (mayNow) await sweepBlobs(dependencies, orphanAgeMs);
      })
      .catch(report('sweep'));
  let keeping: Promise<void> | null = null;
  const keepStorage = (): void => {
    if (keep === null || keeping !== null) return;
    keeping = believesClock()
      .then((isBelieved) => doAlone(store.leases, 'retention', stopped.signal, (signal) => keep(signal, isBelieved)))
      .then((deleted) => {
        const { files, readings } = deleted ?? { files: 0, readings: 0 };
        if (files + readings > 0) log.info({ files, readings }, 'deleted by the rules');
      }, report('retention'))
      .finally(() => (keeping = null));
  };
  const takeUp = (): void => {
    if (takeUpIndexes === null) return;
    doAlone(store.leases, 'indexes', stopped.signal, takeUpIndexes).catch(report('indexes'));
  };
  const goOnDeleting = (): void => void takeUpDeletions(store, stopped.signal).catch(report('deletions'));
  tick();
  sweep();
  keepStorage();
  takeUp();
  goOnDeleting();
  const timers = [
    setInterval(tick, tickEveryMs),
    setInterval(sweep, sweepEveryMs),
    setInterval(keepStorage, keepEveryMs),
    setInterval(takeUp, keepEveryMs),
    setInterval(goOnDeleting, keepEveryMs),
  ];
  return {
    dependencies,
    health,
    waitingQueries: () => queryRunner.waiting,
    close() {
      timers.forEach(clearInterval);
      stopped.abort();
      queryRunner.close();
    },
  };
}
