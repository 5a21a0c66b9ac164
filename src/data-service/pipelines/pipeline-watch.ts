import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Interval, Micros } from '../ports/stored-captures.ts';
import { clocksWereSet } from '../ports/clock.ts';
import type { ClaimTerms, Pipeline, PipelineRun, RunStatus } from '../ports/pipeline-store.ts';
import { everythingOf } from '../ports/capture-filter.ts';
import {
  arrivalsOverlap,
  clockTolerance,
  scheduledLease,
  startDelay,
  startedLease,
  visibilityDelay,
} from './run-timing.ts';
import { earliestReadable, isConflict, runWindow, started } from './run-window.ts';
import { PastWindows } from './past-windows.ts';
import { Schedule, type Window } from './schedule.ts';

type WatchDependencies = Pick<DataServiceDependencies, 'store' | 'ids' | 'queryRunner' | 'defects'>;

/**
 * How many past windows one poll fills in: the others wait for the next poll, so that new windows are not delayed.
 */
const filledAtOnce = 50;
/** Runs beyond these have ended long ago: there cannot be more open windows than these. */
const recentRuns = 50;
const arrivalsAtOnce = 1000;

const lostMessage = 'The host that ran this was lost; another run takes its place.';

/** One scheduler's record of what it has checked of one pipeline. Only the store knows what was run. */
export class PipelineWatch {
  readonly #dependencies: WatchDependencies;
  readonly #pipelineId: string;
  readonly #owner: string;
  /** time of the last poll by the store's clock at that time; Infinity: before the first poll */
  #polledAt: Micros = Infinity;
  /** windows that end up to here are scheduled, by this scheduler or another one */
  #scheduledUntil: Micros = -Infinity;
  readonly #starting = new Set<string>();
  #filling = false;
  readonly #past = new PastWindows();
  /** the window of the earliest data; null: there is no data yet, or earlier data has arrived */
  #first: Window | null = null;
  #arrivalsAfter: { timeSynced: Micros; id: string } | null = null;
  /** windows whose data arrived after they closed, with the arrival time of the last of it */
  readonly #late = new Map<Micros, { readonly window: Window; readonly timeSynced: Micros }>();

  constructor(dependencies: WatchDependencies, pipelineId: string, owner: string) {
    this.#dependencies = dependencies;
    this.#pipelineId = pipelineId;
    this.#owner = owner;
  }

  /**
   * Does everything that is due: schedules windows that closed, starts runs, takes over those of dead hosts, fills
   * in the past. Polls may overlap: a long run does not delay others, and only one poll fills in the past. Resolves
   * to whether more of the past has to be filled in.
   */
  async poll(pipeline: Pipeline, signal: AbortSignal): Promise<boolean> {
    const now = await this.#dependencies.store.now();
    const schedule = Schedule.parse(pipeline.schedule, pipeline.timeCreated);
    // polls that overlap may learn the time in another order; late data is looked for from so long ago in any case
    const isSetBack = now < this.#polledAt - visibilityDelay;
    this.#polledAt = now;
    if (isSetBack) await this.#startOver(pipeline, schedule, now);
    await this.#scheduleClosed(pipeline, schedule, now);
    const [, isMoreDue] = await Promise.all([
      this.#startDue(pipeline, now, signal),
      this.#checkPast(pipeline, schedule, signal),
    ]);
    return isMoreDue;
  }

  /**
   * Forgets what was checked, and puts new runs in the place of those over windows that have not closed yet: a clock
   * that ran ahead has run them before their data was there.
   */
  async #startOver(pipeline: Pipeline, schedule: Schedule, now: Micros): Promise<void> {
    const { pipelines } = this.#dependencies.store;
    this.#scheduledUntil = -Infinity;
    this.#past.forget();
    this.#first = null;
    this.#arrivalsAfter = null;
    let start = schedule.windowOf(now)?.start ?? now;
    for (;;) {
      const runs = await pipelines.latestRuns(this.#pipelineId, { start, end: null }, recentRuns);
      for (const { id, window, status } of runs) {
        if (isOpen(status) || window.end <= now + clockTolerance) continue;
        const terms = { rerunOf: id, notAfter: window.end - clockTolerance };
        await this.#claim(pipeline, window, { leaseUntil: window.end + scheduledLease }, terms);
      }
      if (runs.length < recentRuns) return;
      start = runs.at(-1)!.window.start + 1;
    }
  }

  /**
   * Schedules windows that closed; a run starts after a delay. Windows that nobody scheduled in time count as
   * missed.
   */
  async #scheduleClosed(pipeline: Pipeline, schedule: Schedule, now: Micros): Promise<void> {
    const last = schedule.lastWindow(now);
    let window = last;
    while (window !== null && window.end >= pipeline.timeEnabled && window.end > this.#scheduledUntil) {
      await this.#claim(pipeline, window, { leaseUntil: now + scheduledLease });
      if (window.start <= now - startDelay) break;
      window = schedule.lastWindow(window.start);
    }
    if (last !== null) this.#scheduledUntil = last.end;
  }

  /** Starts this scheduler's runs that are due, and takes over those of dead hosts. */
  async #startDue(pipeline: Pipeline, now: Micros, signal: AbortSignal): Promise<void> {
    const due = (await this.#begunRuns(now)).filter(
      ({ window, status }) => isOpen(status) && window.end + startDelay <= now,
    );
    await Promise.all(
      due.map(async (run) => {
        if (isLost(run, now)) await this.#claimAndRun(pipeline, run.window, null, signal);
        else if (run.status === 'scheduled' && run.leaseOwner === this.#owner) await this.#start(pipeline, run, signal);
      }),
    );
  }

  async #start(pipeline: Pipeline, run: PipelineRun, signal: AbortSignal): Promise<void> {
    const { store } = this.#dependencies;
    if (this.#starting.has(run.id)) return;
    this.#starting.add(run.id);
    try {
      await store.pipelines.updateRun(run, started(await store.now()));
      await runWindow(this.#dependencies, pipeline, run, signal);
    } catch (error) {
      if (!isConflict(error)) throw error;
    } finally {
      this.#starting.delete(run.id);
    }
  }

  async #checkPast(pipeline: Pipeline, schedule: Schedule, signal: AbortSignal): Promise<boolean> {
    if (!pipeline.backfill || this.#filling) return false;
    this.#filling = true;
    try {
      await this.#noteLate(pipeline, schedule);
      for (const { window, timeSynced } of [...this.#late.values()]) {
        if (signal.aborted) return false;
        if (await this.#rerun(pipeline, window, timeSynced, signal)) this.#late.delete(window.start);
      }
      return await this.#fillPast(pipeline, schedule, signal);
    } finally {
      this.#filling = false;
    }
  }

  /** Records windows whose data arrived since the last poll. */
  async #noteLate(pipeline: Pipeline, schedule: Schedule): Promise<void> {
    const { store } = this.#dependencies;
    const seenUntil = (await store.oldestWrite()) - visibilityDelay;
    let after = this.#arrivalsAfter ?? (await this.#firstArrivals());
    for (;;) {
      const page = await store.tabular.arrivals(pipeline.organizationId, after, arrivalsAtOnce);
      const arrivals = page.filter(({ timeSynced }) => timeSynced < seenUntil);
      for (const { timeRequested, timeSynced } of arrivals) {
        const window = schedule.windowOf(timeRequested);
        if (window === null) continue;
        if (this.#first !== null && timeRequested < this.#first.start) this.#first = null;
        this.#late.set(window.start, { window, timeSynced });
      }
      after = arrivals.at(-1) ?? after;
      if (arrivals.length < arrivalsAtOnce) break;
    }
    this.#arrivalsAfter = { timeSynced: after.timeSynced, id: after.id };
  }

  /** A new scheduler trusts the newest run: until then, another scheduler has checked. */
  async #firstArrivals(): Promise<{ timeSynced: Micros; id: string }> {
    const now = await this.#dependencies.store.now();
    const seen = (await this.#begunRuns(now))
      .filter(({ status }) => status === 'completed')
      .map(({ dataSeenUntil }) => dataSeenUntil);
    return { timeSynced: Math.min(now, Math.max(0, ...seen)) - arrivalsOverlap, id: '' };
  }

  /** The newest runs whose windows have begun. */
  #begunRuns(now: Micros): Promise<readonly PipelineRun[]> {
    return this.#dependencies.store.pipelines.runs(this.#pipelineId, { windowStart: now, id: '' }, recentRuns);
  }

  /** Runs a window again if its run did not see the late data; false: another run of it is under way. */
  async #rerun(pipeline: Pipeline, window: Window, timeSynced: Micros, signal: AbortSignal): Promise<boolean> {
    const { store } = this.#dependencies;
    const [run] = await store.pipelines.latestRuns(this.#pipelineId, onlyThe(window), 1);
    const now = await store.now();
    if (run?.status === 'started') return isLost(run, now) && this.#claimAndRun(pipeline, window, null, signal);
    if (run?.status !== 'completed') return true;
    // a run whose clock was ahead cannot have seen later data
    if (timeSynced <= run.dataSeenUntil && run.dataSeenUntil <= now) return true;
    return this.#claimAndRun(pipeline, window, run.id, signal);
  }

  /**
   * Runs past windows without a run, from the newest back to the earliest data; resolves to whether there are more.
   */
  async #fillPast(pipeline: Pipeline, schedule: Schedule, signal: AbortSignal): Promise<boolean> {
    this.#first ??= await this.#firstWindow(pipeline, schedule);
    if (this.#first === null) return false;
    const until = (await this.#dependencies.store.now()) - startDelay;
    const stretches = this.#past.due(schedule, this.#first, until, filledAtOnce);
    const unsettled: Window[] = [];
    for (const stretch of stretches) unsettled.push(...(await this.#fill(pipeline, stretch, signal)));
    if (signal.aborted) return false;
    this.#past.checked(schedule, stretches, unsettled);
    return stretches.some(({ length }) => length === filledAtOnce);
  }

  /**
   * Runs the windows of a stretch that have no run, newest first; resolves to those that another scheduler is
   * running.
   */
  async #fill(pipeline: Pipeline, stretch: readonly Window[], signal: AbortSignal): Promise<Window[]> {
    const { store } = this.#dependencies;
    const starts = { start: stretch[0]!.start, end: stretch.at(-1)!.end };
    const runs = await store.pipelines.latestRuns(this.#pipelineId, starts, stretch.length);
    const latest = new Map(runs.map((run) => [run.window.start, run]));
    const unsettled: Window[] = [];
    for (const window of stretch.toReversed()) {
      if (signal.aborted) break;
      const run = latest.get(window.start);
      if (run === undefined || (isOpen(run.status) && isLost(run, await store.now())))
        await this.#claimAndRun(pipeline, window, null, signal);
      else if (isOpen(run.status)) unsettled.push(window);
    }
    return unsettled;
  }

  /** The window of the earliest data that the pipeline can read. */
  async #firstWindow(pipeline: Pipeline, schedule: Schedule): Promise<Window | null> {
    const filter = { ...everythingOf(pipeline.organizationId), includeInternal: false, additionalParameters: null };
    // half a million hourly windows would lead back to 1970
    const start = earliestReadable(pipeline, await this.#dependencies.store.now()) ?? clocksWereSet;
    const interval = { start, end: null };
    const scan = { filter: { ...filter, interval }, order: 'ascending', after: null, limit: 1 } as const;
    const [earliest] = await this.#dependencies.store.tabular.page(scan);
    return earliest ? schedule.windowOf(earliest.timeRequested) : null;
  }

  /** Resolves to whether the window was free; if so, its run has ended. */
  async #claimAndRun(
    pipeline: Pipeline,
    window: Window,
    rerunOf: string | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const now = await this.#dependencies.store.now();
    const run = await this.#claim(pipeline, window, started(now), { rerunOf });
    if (run) await runWindow(this.#dependencies, pipeline, run, signal);
    return run !== null;
  }

  /** Claims the window for a new run; null: another scheduler has it. */
  async #claim(
    pipeline: Pipeline,
    window: Window,
    state: Partial<PipelineRun> & Pick<PipelineRun, 'leaseUntil'>,
    { rerunOf = null, notAfter = null }: Partial<Pick<ClaimTerms, 'rerunOf' | 'notAfter'>> = {},
  ): Promise<PipelineRun | null> {
    const { store, ids } = this.#dependencies;
    const run: PipelineRun = {
      id: ids.next(),
      pipelineId: pipeline.id,
      organizationId: pipeline.organizationId,
      window,
      status: 'scheduled',
      timeStarted: null,
      timeEnded: null,
      errorMessage: '',
      leaseOwner: this.#owner,
      dataSeenUntil: 0,
      ...state,
    };
    const terms = { longestLease, lostMessage, rerunOf, notAfter };
    return (await store.pipelines.claim(run, terms)) ? run : null;
  }
}

const isOpen = (status: RunStatus): boolean => status === 'scheduled' || status === 'started';
/** A lease beyond this was set by a wrong clock. */
const longestLease: Micros = startedLease + clockTolerance;
const isLost = ({ leaseUntil, window }: PipelineRun, now: Micros): boolean =>
  leaseUntil < now || leaseUntil > Math.max(now, window.end) + longestLease;
const onlyThe = ({ start }: Window): Interval => ({ start, end: start + 1 });
