import type { Clock } from '../../../../data-service/face/hosts.ts';
import type { HeldRun, PipelineRun, PipelineStore } from '../../../../data-service/face/stores.ts';
import { decideClaim, requireHeld, sinkKey, sinkWindow } from '../../../data-store/pipeline-rules.ts';
import { deletePipeline, pipelineSettings } from '../../../data-store/entities/pipeline-settings.ts';
import { runInTurn } from '../../../data-store/steps.ts';
import type { Keep, ReadTables, TableStore } from '../../../data-store/tables.ts';
import { IdbTables } from './idb-tables.ts';
import type { IdbDatabase } from './idb-database.ts';
import { sinkIndexStores, type IdbSinkIndexes } from './idb-sink-indexes.ts';
import { readRange } from './read-range.ts';
import type { WriteTransaction } from './schema.ts';

/**
 * What pipelines are set to is written once, over `Tables`. Runs are not: the newest of a window is the one that was added last, by a
 * number that only the engine gives. Results are rows without entries, in the order of their keys.
 */
export function idbPipelineStore(
  database: IdbDatabase,
  store: TableStore<ReadTables, IdbTables>,
  indexes: IdbSinkIndexes,
  clock: Clock,
  keep: Keep,
): PipelineStore {
  const replaceHeld = async (
    transaction: WriteTransaction,
    run: HeldRun,
    changes: Partial<PipelineRun>,
  ): Promise<PipelineRun> => {
    const runs = transaction.objectStore('runs');
    const key = await runs.index('id').getKey(run.id);
    const held = requireHeld(key === undefined ? undefined : await runs.get(key), run);
    await runs.put({ ...held, ...changes }, key!);
    return held;
  };

  return {
    ...pipelineSettings(store, keep),
    delete: (id) =>
      database.write(['pipelines', 'runs', 'sinks', 'auditRows', ...sinkIndexStores], async (transaction) => {
        await runInTurn(deletePipeline(new IdbTables(transaction, clock), keep, id));
        const runs = transaction.objectStore('runs');
        const keys = await runs.index('place').getAllKeys(IDBKeyRange.bound([id], [id, []]));
        await Promise.all(keys.map((key) => runs.delete(key)));
        await transaction.objectStore('sinks').delete(IDBKeyRange.bound([id], [id, []]));
        await indexes.deleteOf(transaction, id);
      }),

    claim: (run, terms) =>
      database.write(['pipelines', 'runs'], async (transaction) => {
        if ((await transaction.objectStore('pipelines').getKey(run.pipelineId)) === undefined) return false;
        const runs = transaction.objectStore('runs');
        const keys = await runs.index('window').getAllKeys([run.pipelineId, run.window.start]);
        const newestKey = keys.at(-1); // equal index keys are in the order of their own keys
        const newest = newestKey === undefined ? undefined : await runs.get(newestKey);
        const timeEnded = clock.now();
        const decision = decideClaim(newest, timeEnded, terms);
        if (decision === 'refused') return false;
        if (decision === 'lost') {
          const lost = { ...newest!, status: 'failed', timeEnded, errorMessage: terms.lostMessage } as const;
          await runs.put(lost, newestKey!);
        }
        await runs.add(run);
        return true;
      }),
    updateRun: (run, changes) =>
      database.write(['runs'], async (transaction) => {
        await replaceHeld(transaction, run, changes);
      }),
    complete: (run, { timeEnded, dataSeenUntil, documents }) =>
      database.write(['runs', 'sinks', ...sinkIndexStores], async (transaction) => {
        const { pipelineId, window } = await replaceHeld(transaction, run, {
          status: 'completed',
          timeEnded,
          dataSeenUntil,
        });
        const sinks = transaction.objectStore('sinks');
        const prefix = sinkWindow(window.start);
        const keyed = new Map(documents.map((document, index) => [sinkKey(window.start, index), document]));
        await sinks.delete(IDBKeyRange.bound([pipelineId, prefix], [pipelineId, `${prefix}~`]));
        await Promise.all(Array.from(keyed, ([key, document]) => sinks.add(document, [pipelineId, key])));
        await indexes.replace(transaction, pipelineId, prefix, `${prefix}~`, keyed);
      }),
    latestRuns: (pipelineId, { start, end }, limit) =>
      database.read(['runs'], async (transaction) => {
        const windows = IDBKeyRange.bound([pipelineId, start ?? -Infinity], [pipelineId, end ?? Infinity], false, true);
        const latest: PipelineRun[] = [];
        let cursor = await transaction.objectStore('runs').index('window').openCursor(windows);
        // the newest run of a window is its last
        while (cursor !== null) {
          const isOfLast = latest.at(-1)?.window.start === cursor.value.window.start;
          if (!isOfLast && latest.length === limit) break;
          latest.splice(isOfLast ? -1 : latest.length, 1, cursor.value);
          cursor = await cursor.continue();
        }
        return latest;
      }),
    runs: (pipelineId, after, limit) =>
      database.read(['runs'], (transaction) => {
        const end = after === null ? [pipelineId, []] : [pipelineId, after.windowStart, after.id];
        const older = IDBKeyRange.bound([pipelineId], end, true, true);
        return readRange(transaction.objectStore('runs').index('place'), older, 'descending', limit);
      }),
    sink: (pipelineId, afterKey, limit, hints = []) =>
      database.read(['sinks', ...sinkIndexStores], async (transaction) => {
        const sinks = transaction.objectStore('sinks');
        const found = await indexes.keys(transaction, pipelineId, hints, afterKey ?? '', limit);
        if (found !== null) {
          const documents = await Promise.all(found.map((key) => sinks.get([pipelineId, key])));
          return found.map((key, at) => ({ key, document: documents[at]! }));
        }
        const beyond = IDBKeyRange.bound([pipelineId, afterKey ?? ''], [pipelineId, []], true, true);
        const [keys, documents] = await Promise.all([sinks.getAllKeys(beyond, limit), sinks.getAll(beyond, limit)]);
        return documents.map((document, index) => ({ key: keys[index]![1], document }));
      }),
  };
}
