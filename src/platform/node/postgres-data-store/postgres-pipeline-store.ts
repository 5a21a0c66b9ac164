import { deserialize, serialize } from 'node:v8';
import type { HeldRun, PipelineRun, PipelineStore } from '../../../data-service/face/stores.ts';
import type { Micros } from '../../../data-service/face/captures.ts';
import { deletePipeline, pipelineSettings } from '../../data-store/entities/pipeline-settings.ts';
import { runInTurn } from '../../data-store/steps.ts';
import type { Keep } from '../../data-store/tables.ts';
import { decideClaim, requireHeld, sinkKey, sinkWindow } from '../../data-store/pipeline-rules.ts';
import { PostgresTables, type PostgresTableStore } from './postgres-tables.ts';
import type { PostgresDatabase, Row, SqlValue, Statements } from './postgres-database.ts';
import type { PostgresIndexes } from './postgres-indexes.ts';
import { replaceInIndexes, sinkByHint, type SinkDocument, type SinkPlace } from './postgres-sink-indexes.ts';

/** Pipelines that are remembered, those asked for last. */
const mostRemembered = 10_000;

const ofPipeline = 'WHERE organization_id = $1 AND pipeline_id = $2';

/**
 * What pipelines are set to is written once, over `Tables`. Runs are not: the newest of a window is the one that was added last, by a
 * number that only the engine gives. Results are rows without entries, in the order of their keys.
 */
export function postgresPipelineStore(
  database: PostgresDatabase,
  store: PostgresTableStore,
  indexes: PostgresIndexes,
  keep: Keep,
): PipelineStore {
  const settings = pipelineSettings(store, keep);
  const places = new Map<string, SinkPlace>();
  /** Where the rows of a pipeline are. Its organization stays the same, so that it is asked for once. */
  const placeOf = async (pipelineId: string): Promise<SinkPlace | null> => {
    const known = places.get(pipelineId);
    const found = known ?? (await settings.get(pipelineId));
    if (found === null) return null;
    const place = { organizationId: found.organizationId, pipelineId };
    places.delete(pipelineId);
    places.set(pipelineId, place);
    if (places.size > mostRemembered) places.delete(places.keys().next().value!);
    return place;
  };
  /** The rows of a pipeline that is not there are none. `sql` has organization and pipeline as $1 and $2. */
  const rowsOf = async (pipelineId: string, sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> => {
    const place = await placeOf(pipelineId);
    return place === null ? [] : database.rows(sql, place.organizationId, pipelineId, ...values);
  };

  return {
    ...settings,
    async delete(id) {
      const deleted = await database.write(async (statements) => {
        const { organizationId } = await runInTurn(deletePipeline(new PostgresTables(statements), keep, id));
        // runs first: those that are being completed end before their results are deleted
        await statements.run(`DELETE FROM runs ${ofPipeline}`, organizationId, id);
        await statements.run(`DELETE FROM sinks ${ofPipeline}`, organizationId, id);
        return indexes.deleteOf(statements, organizationId, { kind: 'pipeline-sink', pipelineId: id });
      });
      for (const index of deleted) await indexes.remove(index);
    },

    claim: (run, terms) =>
      database.write(async (statements) => {
        const { organizationId, pipelineId, window } = run;
        // claims of a pipeline come one after the other, and none after its deletion
        const sql = 'SELECT FROM pipelines WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
        if ((await statements.row(sql, organizationId, pipelineId)) === undefined) return false;
        // locked: a run that is being completed is waited for
        const found = await statements.row(
          `SELECT entry, store_time() AS now FROM (SELECT) AS always LEFT JOIN LATERAL (
             SELECT entry FROM runs ${ofPipeline} AND window_start = $3 ORDER BY number DESC LIMIT 1 FOR UPDATE
           ) AS newest ON true`,
          organizationId,
          pipelineId,
          window.start,
        );
        const { entry, now: timeEnded } = found as { entry: Uint8Array | null; now: Micros };
        const newest = entry === null ? undefined : runOf({ entry });
        const decision = decideClaim(newest, timeEnded, terms);
        if (decision === 'refused') return false;
        if (decision === 'lost') {
          await replaceRun(statements, { ...newest!, status: 'failed', timeEnded, errorMessage: terms.lostMessage });
        }
        await statements.run(
          'INSERT INTO runs (organization_id, pipeline_id, id, window_start, entry) VALUES ($1, $2, $3, $4, $5)',
          organizationId,
          pipelineId,
          run.id,
          window.start,
          serialize(run),
        );
        return true;
      }),
    updateRun: (run, changes) =>
      database.write(async (statements) => {
        await replaceRun(statements, { ...(await heldRun(statements, run)), ...changes });
      }),
    complete: (run, { timeEnded, dataSeenUntil, documents }) =>
      database.write(async (statements) => {
        const held = await heldRun(statements, run);
        await replaceRun(statements, { ...held, status: 'completed', timeEnded, dataSeenUntil });
        const { start } = held.window;
        const keyed = documents.map((document, index): SinkDocument => [sinkKey(start, index), document]);
        await replaceWindow(statements, held, [sinkWindow(start), `${sinkWindow(start)}~`], keyed);
      }),
    async latestRuns(pipelineId, { start, end }, limit) {
      const sql = `SELECT DISTINCT ON (window_start) entry FROM runs ${ofPipeline} AND window_start >= $3 AND window_start < $4
        ORDER BY window_start, number DESC LIMIT $5`;
      return (await rowsOf(pipelineId, sql, start ?? -Infinity, end ?? Infinity, limit)).map(runOf);
    },
    async runs(pipelineId, after, limit) {
      const sql = `SELECT entry FROM runs ${ofPipeline} AND (window_start, id) < ($3, $4)
        ORDER BY window_start DESC, id DESC LIMIT $5`;
      const { windowStart, id } = after ?? { windowStart: Infinity, id: '' };
      return (await rowsOf(pipelineId, sql, windowStart, id, limit)).map(runOf);
    },
    async sink(pipelineId, afterKey, limit, hints = []) {
      const place = hints.length === 0 ? null : await placeOf(pipelineId);
      const sql = `SELECT key, document FROM sinks ${ofPipeline} AND key > $3 ORDER BY key LIMIT $4`;
      const found =
        place && (await database.read((statements) => sinkByHint(statements, place, hints, afterKey ?? '', limit)));
      const rows = found ?? (await rowsOf(pipelineId, sql, afterKey ?? '', limit));
      return rows.map(({ key, document }) => ({
        key: key as string,
        document: new Uint8Array(document as Uint8Array),
      }));
    },
  };
}

const runOf = ({ entry }: Row): PipelineRun => deserialize(entry as Uint8Array) as PipelineRun;

/** The run as it is, locked up to the end of the write. @throws StoreError conflict unless its owner still holds it */
async function heldRun(statements: Statements, run: HeldRun): Promise<PipelineRun> {
  const sql = `SELECT entry FROM runs ${ofPipeline} AND id = $3 FOR UPDATE`;
  const found = await statements.row(sql, run.organizationId, run.pipelineId, run.id);
  return requireHeld(found === undefined ? undefined : runOf(found), run);
}

async function replaceRun(statements: Statements, run: PipelineRun): Promise<void> {
  const sql = `UPDATE runs SET entry = $4 ${ofPipeline} AND id = $3`;
  await statements.run(sql, run.organizationId, run.pipelineId, run.id, serialize(run));
}

/** Makes `documents` all that a sink has between two keys. */
async function replaceWindow(
  statements: Statements,
  { organizationId, pipelineId }: SinkPlace,
  [from, to]: readonly [string, string],
  documents: readonly SinkDocument[],
): Promise<void> {
  const sql = `DELETE FROM sinks ${ofPipeline} AND key > $3 AND key < $4`;
  await statements.run(sql, organizationId, pipelineId, from, to);
  if (documents.length > 0) {
    await statements.run(
      `INSERT INTO sinks (organization_id, pipeline_id, key, document)
       SELECT $1, $2, * FROM unnest($3::text[], $4::bytea[])`,
      organizationId,
      pipelineId,
      documents.map(([key]) => key),
      documents.map(([, document]) => document),
    );
  }
  await replaceInIndexes(statements, { organizationId, pipelineId }, from, to, documents);
}
