import type { Clock } from '../../../data-service/ports/clock.ts';
import type { Pipeline, PipelineRun, PipelineStore } from '../../../data-service/ports/pipeline-store.ts';
import { decideClaim, requireHeld, sinkKey, sinkWindow } from '../../data-store/pipeline-rules.ts';
import { byName } from '../../../data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { changesOf } from '../../../data-service/ports/describe-changes.ts';
import { EntryTable, readEntry } from './entry-table.ts';
import type { KeepChanges } from './sqlite-tables.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { SqliteSinkIndexes } from './sqlite-sink-indexes.ts';

/** What only reads. */
export const sqliteSinkReader = (
  database: SqliteDatabase,
  indexes: SqliteSinkIndexes,
): Pick<PipelineStore, 'sink'> => ({
  sink: (pipelineId, afterKey, limit, hints = []) =>
    database.read(() => {
      const found = indexes.keys(pipelineId, hints, afterKey ?? '', limit);
      const of = 'SELECT key, document FROM sinks WHERE pipeline_id = ?';
      const rows =
        found === null
          ? database.all(`${of} AND key > ? ORDER BY key LIMIT ?`, pipelineId, afterKey ?? '', limit)
          : database.all(
              `${of} AND key IN (SELECT value FROM json_each(?)) ORDER BY key`,
              pipelineId,
              JSON.stringify(found),
            );
      return rows.map(({ key, document }) => ({ key: key as string, document: document as Uint8Array }));
    }),
});

/** Pipelines and their runs, in tables. */
export const pipelineTables = (database: SqliteDatabase) => ({
  pipelines: new EntryTable<Pipeline>(database, 'pipelines', ({ id, organizationId, name, enabled }) => ({
    id,
    organization_id: organizationId,
    name,
    enabled: Number(enabled),
  })),
  runs: new EntryTable<PipelineRun>(database, 'runs', ({ id, pipelineId, window }) => ({
    id,
    pipeline_id: pipelineId,
    window_start: window.start,
  })),
});

export function sqlitePipelineStore(
  database: SqliteDatabase,
  indexes: SqliteSinkIndexes,
  clock: Clock,
  keep: KeepChanges,
): PipelineStore {
  const { pipelines, runs } = pipelineTables(database);
  const requireFreeName = ({ id, organizationId, name }: Pipeline): void => {
    const other = pipelines.find({ organization_id: organizationId, name });
    if (other !== undefined && other.id !== id) throw alreadyExists('pipeline', name);
  };
  const required = (id: string): Pipeline => {
    const pipeline = pipelines.find({ id });
    if (pipeline === undefined) throw notFound('pipeline', id);
    return pipeline;
  };

  return {
    create: (pipeline) =>
      database.write(() => {
        requireFreeName(pipeline);
        pipelines.insert(pipeline);
        keep(changesOf('pipeline', null, pipeline));
      }),
    get: (id) => database.read(() => pipelines.find({ id }) ?? null),
    list: (organizationId) => database.read(() => pipelines.list({ organization_id: organizationId }).sort(byName)),
    listEnabled: () => database.read(() => pipelines.list({ enabled: 1 }).sort(byName)),
    update: (id, changes) =>
      database.write(() => {
        const pipeline = required(id);
        const changed = { ...pipeline, ...changes };
        requireFreeName(changed);
        pipelines.replace(changed, { id });
        keep(changesOf('pipeline', pipeline, changed));
        return changed;
      }),
    async delete(id) {
      const deleted = await database.write(() => {
        keep(changesOf('pipeline', required(id), null));
        pipelines.delete({ id });
        runs.delete({ pipeline_id: id });
        database.run('DELETE FROM sinks WHERE pipeline_id = ?', id);
        return indexes.deleteOf(id);
      });
      await indexes.remove(deleted);
    },

    claim: (run, terms) =>
      database.write(() => {
        if (pipelines.find({ id: run.pipelineId }) === undefined) return false;
        const window = { pipeline_id: run.pipelineId, window_start: run.window.start };
        const newest = runs.list(window, 'ORDER BY row DESC LIMIT 1')[0];
        const timeEnded = clock.now();
        const decision = decideClaim(newest, timeEnded, terms);
        if (decision === 'refused') return false;
        if (decision === 'lost') {
          const lost = { ...newest!, status: 'failed', timeEnded, errorMessage: terms.lostMessage } as const;
          runs.replace(lost, { id: lost.id });
        }
        runs.insert(run);
        return true;
      }),
    updateRun: (run, changes) =>
      database.write(() => {
        const held = requireHeld(runs.find({ id: run.id }), run);
        runs.replace({ ...held, ...changes }, { id: run.id });
      }),
    complete: (run, { timeEnded, dataSeenUntil, documents }) =>
      database.write(() => {
        const held = requireHeld(runs.find({ id: run.id }), run);
        const { pipelineId, window } = held;
        runs.replace({ ...held, status: 'completed', timeEnded, dataSeenUntil }, { id: run.id });
        const prefix = sinkWindow(window.start);
        const keyed = new Map(documents.map((document, index) => [sinkKey(window.start, index), document]));
        const all = [prefix, `${prefix}~`] as const;
        database.run('DELETE FROM sinks WHERE pipeline_id = ? AND key > ? AND key < ?', pipelineId, ...all);
        for (const [key, document] of keyed)
          database.run('INSERT INTO sinks VALUES (?, ?, ?)', pipelineId, key, document);
        indexes.replace(pipelineId, ...all, keyed);
      }),
    latestRuns: (pipelineId, { start, end }, limit) =>
      database.read(() => {
        const newest = `SELECT max(row) FROM runs WHERE pipeline_id = ? AND window_start >= ? AND window_start < ?
          GROUP BY window_start ORDER BY window_start LIMIT ?`;
        const values = [pipelineId, start ?? -Infinity, end ?? Infinity, limit];
        return database
          .all(`SELECT entry FROM runs WHERE row IN (${newest}) ORDER BY window_start`, ...values)
          .map(({ entry }) => readEntry<PipelineRun>(entry));
      }),
    runs: (pipelineId, after, limit) =>
      database.read(() =>
        runs.list(
          { pipeline_id: pipelineId },
          `AND (window_start, id) < (?, ?) ORDER BY window_start DESC, id DESC LIMIT ?`,
          after?.windowStart ?? Infinity,
          after?.id ?? '',
          limit,
        ),
      ),
    ...sqliteSinkReader(database, indexes),
  };
}
