import { indexedSinkDocument } from '../../../data-service/face/query-engine.ts';
import type { FieldHint } from '../../../data-service/face/captures.ts';
import { sinkOf, valuesAt } from '../../data-store/field-values.ts';
import { indexKey } from './index-key.ts';
import { keptIndexes, liveIndexes, rowsByHint, type LiveIndex } from './live-indexes.ts';
import type { Row, Statements } from './postgres-database.ts';
import type { IndexFilling } from './postgres-indexes.ts';

/** A sink with the organization of its pipeline. */
export interface SinkPlace {
  readonly organizationId: string;
  readonly pipelineId: string;
}

/** A document by its key. */
export type SinkDocument = readonly [key: string, document: Uint8Array];

const collectionOf = ({ pipelineId }: SinkPlace) => ({ kind: 'pipeline-sink', pipelineId }) as const;

/**
 * Makes `documents` all that the indexes of a sink have from one key to another, within the write that does so, after it has
 * deleted the documents that were there.
 */
export async function replaceInIndexes(
  statements: Statements,
  sink: SinkPlace,
  from: string,
  to: string,
  documents: readonly SinkDocument[],
): Promise<void> {
  const indexes = await keptIndexes(statements, sink.organizationId, collectionOf(sink));
  if (indexes.length === 0) return;
  await statements.run(
    'DELETE FROM sink_values WHERE organization_id = $1 AND index_id = ANY($2::bigint[]) AND key > $3 AND key < $4',
    sink.organizationId,
    indexes.map(({ id }) => id),
    from,
    to,
  );
  await addValues(statements, sink.organizationId, indexes, documents);
}

/** All documents that one of the hints could be met by, off an index, in order; null without such an index. */
export async function sinkByHint(
  statements: Statements,
  sink: SinkPlace,
  hints: readonly FieldHint[],
  afterKey: string,
  limit: number,
): Promise<readonly Row[] | null> {
  const indexes = await liveIndexes(statements, sink.organizationId, collectionOf(sink));
  const found = await rowsByHint(statements, 'sink_values', sink.organizationId, indexes, hints);
  if (found === null) return null;
  return statements.rows(
    `SELECT key, document FROM sinks WHERE organization_id = $1 AND pipeline_id = $5 AND key IN (
       SELECT key FROM sink_values WHERE ${found.condition} AND key > $6
     ) ORDER BY key LIMIT $7`,
    ...found.values,
    sink.pipelineId,
    afterKey,
    limit,
  );
}

/** How indexes on the results of pipelines are filled. */
export const sinkFilling: IndexFilling = {
  values: 'sink_values',
  async count(statements, { index, position }) {
    const sql = 'SELECT count(*) AS count FROM sinks WHERE organization_id = $1 AND pipeline_id = $2 AND key > $3';
    const found = await statements.row(sql, index.organizationId, sinkOf(index.collection), position ?? '');
    return found!['count'] as number;
  },
  async fill(statements, { id, path, index: { organizationId, collection }, position }, most) {
    // locked, so that none of them is replaced before it is in the index
    const rows = await statements.rows(
      `SELECT key, document FROM sinks WHERE organization_id = $1 AND pipeline_id = $2 AND key > $3
       ORDER BY key LIMIT $4 FOR KEY SHARE`,
      organizationId,
      sinkOf(collection),
      position ?? '',
      most,
    );
    const documents = rows.map(({ key, document }): SinkDocument => [key as string, document as Uint8Array]);
    await addValues(statements, organizationId, [{ id, path }], documents);
    return { count: rows.length, position: documents.at(-1)?.[0] ?? position };
  },
};

async function addValues(
  statements: Statements,
  organizationId: string,
  indexes: readonly Pick<LiveIndex, 'id' | 'path'>[],
  documents: readonly SinkDocument[],
): Promise<void> {
  const values = documents.flatMap(([key, document]) => {
    const plain = indexedSinkDocument(document);
    return indexes.flatMap(({ id, path }) =>
      Array.from(valuesAt(plain, path), (value) => ({ index: id, value: indexKey(value), key })),
    );
  });
  if (values.length === 0) return;
  await statements.run(
    `INSERT INTO sink_values (organization_id, index_id, value, key)
     SELECT $1, * FROM unnest($2::bigint[], $3::bytea[], $4::text[]) ON CONFLICT DO NOTHING`,
    organizationId,
    values.map(({ index }) => index),
    values.map(({ value }) => value),
    values.map(({ key }) => key),
  );
}
