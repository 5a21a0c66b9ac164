import type { Interval, Micros } from './capture.ts';
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
  /** since when ticks count: creation or the latest enabling */
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
  /** who works on it, and until when others must leave it alone */
  readonly leaseOwner: string;
  readonly leaseUntil: Micros;
  /** everything synced before this was seen by the run: later arrivals are late data */
  readonly dataSeenUntil: Micros;
}

export interface ClaimTerms {
  readonly now: Micros;
  readonly farthestLease: Micros;
  readonly lostMessage: string;
  readonly rerunOf: string | null;
}

/** Runs come newest first: by window start, then id, both descending. */
export interface RunPosition {
  readonly windowStart: Micros;
  readonly id: string;
}

/** Scheduled queries, their runs and what they keep. Methods are atomic and durable. */
export interface PipelineStore {
  /** A name taken in the organization: `already-exists`. */
  create(pipeline: Pipeline): Promise<void>;
  get(id: string): Promise<Pipeline | null>;
  list(organizationId: string): Promise<readonly Pipeline[]>;
  /** Every enabled pipeline of every organization: what a scheduler looks after. */
  listEnabled(): Promise<readonly Pipeline[]>;
  /** `not-found`; a taken name: `already-exists`. */
  update(
    id: string,
    changes: Partial<Pick<Pipeline, 'name' | 'enabled' | 'timeUpdated' | 'timeEnabled'>>,
  ): Promise<Pipeline>;
  /** Removes configuration, runs, sink and its indexes together: `not-found`. */
  delete(id: string): Promise<void>;

  /**
   * Takes the window of `run` for its lease owner, and returns whether it did. It does if (pipeline, window start) has
   * no run; or if its newest run is not finished and that lease is over: that one becomes `failed` with `lostMessage`,
   * and `run` is added; or if `rerunOf` is the newest run's id and it is finished. A lease is over that ended before
   * `now`, and so is one beyond `farthestLease`, which only a clock that ran ahead can have given.
   */
  claim(run: PipelineRun, terms: ClaimTerms): Promise<boolean>;
  /** Changes a run that `leaseOwner` still holds; else `conflict`. */
  updateRun(
    run: Pick<PipelineRun, 'id' | 'leaseOwner'>,
    changes: Partial<Pick<PipelineRun, 'status' | 'timeStarted' | 'timeEnded' | 'errorMessage' | 'leaseUntil'>>,
  ): Promise<void>;
  /** Marks a held run `completed` and makes `documents` (BSON) the whole result of its window, in one step; else `conflict`. */
  complete(
    run: Pick<PipelineRun, 'id' | 'leaseOwner'>,
    result: {
      readonly timeEnded: Micros;
      readonly dataSeenUntil: Micros;
      readonly documents: readonly Uint8Array[];
    },
  ): Promise<void>;
  /** The newest run of each window that starts in the interval, ascending. */
  latestRuns(pipelineId: string, windowStarts: Interval, limit: number): Promise<readonly PipelineRun[]>;
  /** All runs, newest first, strictly beyond `after`. */
  runs(pipelineId: string, after: RunPosition | null, limit: number): Promise<readonly PipelineRun[]>;

  /**
   * The sink's documents in order of window, `limit` at a time; pass the last `key` on, null to begin. Given hints, those
   * that an index of the sink finds by one of them, where it has such: what it leaves out meets not all of them.
   */
  sink(
    pipelineId: string,
    afterKey: string | null,
    limit: number,
    hints?: readonly FieldHint[],
  ): Promise<readonly { readonly key: string; readonly document: Uint8Array }[]>;
}
