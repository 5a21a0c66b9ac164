import type { Clock } from '../../src/data-service/ports/clock.ts';
import type { HeldRun, PipelineRun, PipelineStore } from '../../src/data-service/ports/pipeline-store.ts';
import { StoreError } from '../../src/data-service/ports/store-error.ts';
import { pipelines } from '../../src/platform/data-store/entities/entity-tables.ts';
import { deletePipeline, pipelineSettings } from '../../src/platform/data-store/entities/pipeline-settings.ts';
import { runNow } from '../../src/platform/data-store/steps.ts';
import type { Keep, TableStore } from '../../src/platform/data-store/tables.ts';
import type { Tables } from './tables.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';

export function memoryPipelineStore(tables: Tables, store: TableStore, clock: Clock, keep: Keep): PipelineStore {
  // Insertion order decides which of two runs of a window is newer.
  const runsOf = (pipelineId: string): PipelineRun[] =>
    [...tables.runs.values()].filter((run) => run.pipelineId === pipelineId);
  const held = ({ id, leaseOwner }: HeldRun): PipelineRun => {
    const run = tables.runs.get(id);
    if (run?.leaseOwner === leaseOwner && isUnfinished(run)) return run;
    throw new StoreError('conflict', `Run ${id} is no longer held by ${leaseOwner}.`, { subject: id });
  };

  return {
    ...pipelineSettings(store, keep),
    async delete(id) {
      tables.rows.write((rows) => deletePipeline(rows, keep, id));
      for (const run of runsOf(id)) tables.runs.delete(run.id);
      tables.sinks.delete(id);
      for (const [key, { collection }] of tables.indexes) {
        if (collection.kind === 'pipeline-sink' && collection.pipelineId === id) tables.indexes.delete(key);
      }
    },
    async claim(run, { longestLease, lostMessage, rerunOf, notAfter }) {
      const now = clock.now();
      const isThere = runNow(tables.rows.find(pipelines, { id: run.pipelineId })) !== null;
      if (!isThere || (notAfter !== null && now > notAfter)) return false;
      const newest = runsOf(run.pipelineId).findLast(({ window }) => window.start === run.window.start);
      if (newest !== undefined) {
        const isOver = newest.leaseUntil < now || newest.leaseUntil > Math.max(now, newest.window.end) + longestLease;
        const lost = isUnfinished(newest) && isOver;
        if (!lost && (isUnfinished(newest) || newest.id !== rerunOf)) return false;
        if (lost) {
          tables.runs.set(newest.id, { ...newest, status: 'failed', timeEnded: now, errorMessage: lostMessage });
        }
      }
      tables.runs.set(run.id, run);
      return true;
    },
    async updateRun(run, changes) {
      tables.runs.set(run.id, { ...held(run), ...changes });
    },
    async complete(run, { timeEnded, dataSeenUntil, documents }) {
      const completed: PipelineRun = { ...held(run), status: 'completed', timeEnded, dataSeenUntil };
      tables.runs.set(run.id, completed);
      const { pipelineId, window } = completed;
      const sink = tables.sinks.get(pipelineId) ?? new Map<string, Uint8Array>();
      const prefix = `${String(window.start).padStart(16, '0')}/`;
      for (const key of [...sink.keys()]) if (key.startsWith(prefix)) sink.delete(key);
      documents.forEach((document, index) => sink.set(prefix + String(index).padStart(6, '0'), document));
      tables.sinks.set(pipelineId, sink);
    },
    async latestRuns(pipelineId, { start, end }, limit) {
      const latest = new Map(runsOf(pipelineId).map((run) => [run.window.start, run]));
      return [...latest.values()]
        .filter(({ window }) => (start === null || window.start >= start) && (end === null || window.start < end))
        .sort((a, b) => a.window.start - b.window.start)
        .slice(0, limit);
    },
    async runs(pipelineId, after, limit) {
      return runsOf(pipelineId)
        .sort((a, b) => b.window.start - a.window.start || byText(b.id, a.id))
        .filter(
          ({ id, window }) =>
            after === null || window.start < after.windowStart || (window.start === after.windowStart && id < after.id),
        )
        .slice(0, limit);
    },
    async sink(pipelineId, afterKey, limit) {
      return [...(tables.sinks.get(pipelineId) ?? [])]
        .map(([key, document]) => ({ key, document }))
        .filter(({ key }) => afterKey === null || key > afterKey)
        .sort((a, b) => byText(a.key, b.key))
        .slice(0, limit);
    },
  };
}

const isUnfinished = ({ status }: PipelineRun): boolean => status === 'scheduled' || status === 'started';
