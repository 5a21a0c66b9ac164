import type { Interval, Micros } from './stored-captures.ts';
import type { FieldHint } from './tabular-store.ts';

export interface Pipeline {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** each one BSON document: a stage */
  readonly stages: readonly Uint8Array[];
  /** five-field cron, in UTC */
  readonly schedule: string;
  readonly enabled: boolean;
  readonly backfill: boolean;
  readonly source: 'standard' | 'hot-storage';
  readonly timeCreated: Micros;
  readonly timeUpdated: Micros;
  /** ticks count from here: creation or the latest enabling */
  readonly timeEnabled: Micros;
}

export type RunStatus = 'scheduled' | 'started' | 'completed' | 'failed';

export interface PipelineRun {
  readonly id: string;
  readonly pipelineId: string;
  readonly organizationId: string;
  /** the window of data, both ends set; one live run a (pipeline, window start) */
  readonly window: Interval & { readonly start: Micros; readonly end: Micros };
  readonly status: RunStatus;
  readonly timeStarted: Micros | null;
  readonly timeEnded: Micros | null;
  readonly errorMessage: string;
  /** who runs it, and until when others must not take it over */
  readonly leaseOwner: string;
  readonly leaseUntil: Micros;
  /** the run has seen everything that was synced before this: later arrivals are late data */
  readonly dataSeenUntil: Micros;
}

/** Which run it is, and who holds it. */
export type HeldRun = Pick<PipelineRun, 'id' | 'organizationId' | 'pipelineId' | 'leaseOwner'>;

export interface ClaimTerms {
  /** how far from now, or from the end of the window, a lease can end that a right clock gave */
  readonly longestLease: Micros;
  readonly lostMessage: string;
  readonly rerunOf: string | null;
  /** a later claim is refused, since it was decided by what was true before; null: it is true at any time */
  readonly notAfter: Micros | null;
}

/** Runs come newest first: by window start, then id, both descending. */
export interface RunPosition {
  readonly windowStart: Micros;
  readonly id: string;
}

/** Scheduled queries, their runs and their results. Methods are atomic and durable. */
export interface PipelineStore {
  /** `already-exists` for a name that is taken in the organization. */
  create(pipeline: Pipeline): Promise<void>;
  get(id: string): Promise<Pipeline | null>;
  list(organizationId: string): Promise<readonly Pipeline[]>;
  /** Every enabled pipeline of every organization, for schedulers. */
  listEnabled(): Promise<readonly Pipeline[]>;
  /** `not-found`; a taken name: `already-exists`. */
  update(
    id: string,
    changes: Partial<Pick<Pipeline, 'name' | 'enabled' | 'timeUpdated' | 'timeEnabled'>>,
  ): Promise<Pipeline>;
  /** Deletes the configuration, runs, sink and its indexes together: `not-found`. */
  delete(id: string): Promise<void>;

  /**
   * Claims the window of `run` for its lease owner, and resolves to whether it did. A pipeline that is not there has no
   * windows. It does if (pipeline, window start) has no run; or if its newest run is not finished and the lease is over:
   * that run becomes `failed` with `lostMessage`, and `run` is added; or if `rerunOf` is the newest run's id and it is
   * finished. Whether a lease is over is decided in the same step, by the store's own time: who asks may have been frozen
   * since it looked. A lease that ends beyond `longestLease` is over too: only a clock that ran ahead can have set it.
   * From then on the id of `run` is the fencing token of the window: of an earlier run nothing is kept any more.
   */
  claim(run: PipelineRun, terms: ClaimTerms): Promise<boolean>;
  /** Changes a run whose lease `leaseOwner` holds; otherwise `conflict`. */
  updateRun(
    run: HeldRun,
    changes: Partial<Pick<PipelineRun, 'status' | 'timeStarted' | 'timeEnded' | 'errorMessage' | 'leaseUntil'>>,
  ): Promise<void>;
  /**
   * Marks such a run `completed` and stores `documents` (BSON) as the whole result of its window, in one step;
   * otherwise `conflict`.
   */
  complete(
    run: HeldRun,
    result: { readonly timeEnded: Micros; readonly dataSeenUntil: Micros; readonly documents: readonly Uint8Array[] },
  ): Promise<void>;
  /** The newest run of each window that starts in the interval, ascending. */
  latestRuns(pipelineId: string, windowStarts: Interval, limit: number): Promise<readonly PipelineRun[]>;
  /** All runs, newest first, starting after `after`. */
  runs(pipelineId: string, after: RunPosition | null, limit: number): Promise<readonly PipelineRun[]>;

  /**
   * The sink's documents in order of window, `limit` at a time; pass the last `key` to continue, null to start.
   * With hints, a fitting index may leave out documents that break a hint.
   */
  sink(
    pipelineId: string,
    afterKey: string | null,
    limit: number,
    hints?: readonly FieldHint[],
  ): Promise<readonly { readonly key: string; readonly document: Uint8Array }[]>;
}
