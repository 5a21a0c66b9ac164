import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { QueryError, type Query } from '../ports/query-runner.ts';
import type { Micros } from '../ports/stored-captures.ts';
import type { Pipeline, PipelineRun } from '../ports/pipeline-store.ts';
import { StoreError } from '../ports/store-error.ts';
import { defaultQueryLimits } from '../query/query-limits.ts';
import { hotStorageSpan } from '../query/query-sources.ts';
import { maxSinkDocuments, runLimitMs, startedLease, visibilityDelay } from './run-timing.ts';
import { sinkDocument } from './sink-document.ts';

export type RunDependencies = Pick<DataServiceDependencies, 'store' | 'queryRunner' | 'defects'>;

const limits = { ...defaultQueryLimits, deadlineMs: runLimitMs, maxRows: maxSinkDocuments };

/**
 * Runs a pipeline over the window of a started run, and stores the answer as the window's whole result, or marks
 * the run FAILED. If `signal` aborts, other schedulers may take the run over.
 */
export async function runWindow(
  dependencies: RunDependencies,
  pipeline: Pipeline,
  run: PipelineRun,
  signal: AbortSignal,
): Promise<void> {
  const { store } = dependencies;
  try {
    const startedAt = await store.now();
    const dataSeenUntil = (await store.oldestWrite()) - visibilityDelay;
    const asker = { organizationId: pipeline.organizationId, keyId: null, isPipeline: true };
    const rows = await dependencies.queryRunner.run(queryOf(pipeline, run, startedAt), asker, limits, signal);
    await store.pipelines.complete(run, {
      timeEnded: await store.now(),
      dataSeenUntil,
      documents: rows.map((row) => sinkDocument(row, run)),
    });
  } catch (error) {
    const timeEnded = await store.now();
    const changes = signal.aborted
      ? { leaseUntil: timeEnded - 1 }
      : { status: 'failed' as const, timeEnded, errorMessage: messageOf(error, dependencies) };
    await store.pipelines.updateRun(run, changes).catch((failure: unknown) => {
      // another scheduler has taken the run over and will answer for it
      if (!isConflict(failure)) throw failure;
    });
  }
}

/** Leases the run for the time that it may need, and marks it STARTED. */
export const started = (now: Micros) => ({
  status: 'started' as const,
  timeStarted: now,
  leaseUntil: now + startedLease,
});

function queryOf(pipeline: Pipeline, { window }: PipelineRun, now: Micros): Query {
  const start = Math.max(window.start, earliestReadable(pipeline, now) ?? -Infinity);
  return {
    organizationId: pipeline.organizationId,
    source: { kind: 'readings', interval: { start, end: window.end } },
    stages: pipeline.stages,
  };
}

/** Hot storage reaches back one day; standard storage (null) has no limit. */
export const earliestReadable = ({ source }: Pipeline, now: Micros): Micros | null =>
  source === 'hot-storage' ? now - hotStorageSpan : null;

export const isConflict = (error: unknown): boolean => error instanceof StoreError && error.code === 'conflict';

function messageOf(error: unknown, { defects }: RunDependencies): string {
  if (error instanceof QueryError || error instanceof StoreError) return error.message;
  defects.report(error, { operation: 'run of a pipeline' });
  return 'The run failed in the service itself; its log has the cause.';
}
