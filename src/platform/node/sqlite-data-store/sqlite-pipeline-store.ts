import type { Clock } from '../../../data-service/face/hosts.ts';
import type { PipelineRun, PipelineStore } from '../../../data-service/face/stores.ts';
import { decideClaim, requireHeld, sinkKey, sinkWindow } from '../../data-store/pipeline-rules.ts';
import { pipelines } from '../../data-store/entities/entity-tables.ts';
import { deletePipeline, pipelineSettings } from '../../data-store/entities/pipeline-settings.ts';
import { runNow } from '../../data-store/steps.ts';
import type { Keep } from '../../data-store/tables.ts';
import { EntryTable, readEntry } from './entry-table.ts';
import type { SqliteTableStore } from './sqlite-tables.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { SqliteSinkIndexes } from './sqlite-sink-indexes.ts';

/** The part of the pipeline store that only reads. */
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

export const runTable = (database: SqliteDatabase): EntryTable<PipelineRun> =>
  new EntryTable(database, 'runs', ({ id, pipelineId, window }) => ({
    id,
    pipeline_id: pipelineId,
    window_start: window.start,
  }));

/**
 * What pipelines are set to is written once, over `Tables`. Runs are not: the newest of a window is the one that was added last, by a
 * number that only the engine gives. Results are rows without entries, in the order of their keys.
 */
export function sqlitePipelineStore(
  database: SqliteDatabase,
  store: SqliteTableStore,
  indexes: SqliteSinkIndexes,
  clock: Clock,
  keep: Keep,
): PipelineStore {
  const { tables } = store;
  const runs = runTable(database);

  return {
    ...pipelineSettings(store, keep),
    async delete(id) {
      const deleted = await database.write(() => {
        runNow(deletePipeline(tables, keep, id));
        runs.delete({ pipeline_id: id });
        database.run('DELETE FROM sinks WHERE pipeline_id = ?', id);
        return indexes.deleteOf(id);
      });
      await indexes.remove(deleted);
    },

    claim: (run, terms) =>
      database.write(() => {
        if (runNow(tables.find(pipelines, { id: run.pipelineId })) === null) return false;
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
