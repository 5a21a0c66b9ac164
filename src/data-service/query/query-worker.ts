import type { QueryErrorCode, QueryLimits, QuerySource } from '../ports/query-runner.ts';
import type { PackedReadings } from '../ports/packed-readings.ts';
import type { StoreErrorCode } from '../ports/store-error.ts';
import type { PackedRows } from './packed-rows.ts';
import type { QueryDocument } from './query-document.ts';

/** A query whose rows the worker reads by itself. */
export interface QueryToAnswer {
  readonly type: 'query';
  readonly organizationId: string;
  readonly source: QuerySource;
  readonly stages: PackedRows;
  readonly limits: QueryLimits;
  readonly nowMs: number;
  readonly inParts: boolean;
}

/**
 * The host's messages to a worker: one query after another. A worker without a store gets the rows in batches, each
 * after it has taken the one before.
 */
export type ToQueryWorker =
  | QueryToAnswer
  | ({ readonly type: 'start' } & Pick<QueryToAnswer, 'stages' | 'limits' | 'nowMs' | 'inParts'>)
  | { readonly type: 'rows'; readonly rows: readonly QueryDocument[] }
  /** `paths`: the fields of the documents that the stages read; null = all */
  | { readonly type: 'readings'; readonly readings: PackedReadings; readonly paths: readonly string[] | null }
  | { readonly type: 'documents'; readonly documents: PackedRows }
  | { readonly type: 'finish' }
  /** the host took a part of the answer */
  | { readonly type: 'more' };

/**
 * The worker's answers. `more` is false when further rows cannot change the answer. An answer in parts has the first of them in
 * `taken`, as rows arrive, then any number of `part`, and ends with `answer`.
 */
export type FromQueryWorker =
  | { readonly type: 'taken'; readonly more: boolean; readonly rows?: PackedRows }
  | { readonly type: 'part' | 'answer'; readonly rows: PackedRows }
  | { readonly type: 'failed'; readonly code: QueryErrorCode; readonly message: string }
  | { readonly type: 'store-failed'; readonly code: StoreErrorCode; readonly message: string };

/** A thread with its own heap that runs pipelines (`answerQueries`) and can be terminated at any time. */
export interface QueryWorker {
  post(message: ToQueryWorker, transfer?: readonly ArrayBufferLike[]): void;
  /** Set by the user of the worker before it posts. */
  onMessage: (message: FromQueryWorker) => void;
  /** The thread ended by itself: out of memory, or a defect. */
  onEnd: (error: Error) => void;
  terminate(): void;
  /**
   * The processor time in ms that the thread has had since it began, also while it computes. Rejects where it runs not yet or no more.
   * Absent where the platform does not tell.
   */
  readonly processorMs?: () => Promise<number>;
}

/** Starts a worker with a heap of at most `maxMemoryBytes`, where the host can bound it. */
export type StartQueryWorker = (maxMemoryBytes: number) => QueryWorker;
