import { type Position, positionOf, type StructValue, type TabularRow } from '../../../data-service/face/captures.ts';
import { boundsBeyond } from '../../data-store/capture-ranges.ts';
import { valuesAt } from '../../data-store/field-values.ts';
import { indexKey } from './index-key.ts';
import { keptIndexes, liveIndexes, rowsByHint, type LiveIndex } from './live-indexes.ts';
import type { StoredCapture } from './postgres-captures.ts';
import type { Statements } from './postgres-database.ts';
import type { IndexFilling } from './postgres-indexes.ts';
import type { FieldIndexes, TabularCaptures } from './postgres-tabular-store.ts';

const readings = { kind: 'hot-store' } as const;
/** Before all readings. */
const first: Position = { time: -Infinity, id: '' };

/** Indexes that clients ask for, on fields of the readings: kept by every insert, and used by `pageByHints`. */
export function postgresFieldIndexes(captures: TabularCaptures): FieldIndexes & { readonly filling: IndexFilling } {
  return {
    async add(statements, rows) {
      for (const organizationId of new Set(rows.map(({ capture }) => capture.organizationId))) {
        const kept = await keptIndexes(statements, organizationId, readings);
        const own = rows.filter(({ capture }) => capture.organizationId === organizationId);
        await addValues(statements, organizationId, kept, own);
      }
    },
    async page(statements, { filter, order, after, limit }, hints) {
      const bounds = boundsBeyond(filter.interval, order, after);
      if (hints.length === 0 || bounds === null) return null;
      const { organizationId } = filter;
      const indexes = await liveIndexes(statements, organizationId, readings);
      const found = await rowsByHint(statements, 'field_values', organizationId, indexes, hints);
      if (found === null) return null;
      const places = `SELECT DISTINCT stream, time, id FROM field_values
        WHERE ${found.condition} AND (time, id) > ($5, $6) AND (time, id) < ($7, $8)`;
      const { lower, upper } = bounds;
      const all = [...found.values, lower.time, lower.id, upper.time, upper.id];
      return (await captures.atPlaces(statements, filter, order, places, all)).slice(0, limit);
    },
    filling: {
      values: 'field_values',
      async count(statements, { index: { organizationId }, position }) {
        const { time, id } = fromText(position);
        const sql =
          'SELECT count(*) AS count FROM tabular_captures WHERE organization_id = $1 AND (time, id) > ($2, $3)';
        return (await statements.row(sql, organizationId, time, id))!['count'] as number;
      },
      async fill(statements, { id, path, index: { organizationId }, position }, most) {
        const after = fromText(position);
        // locked, so that none of them is deleted before it is in the index
        const rows = await statements.rows(
          `SELECT ${captures.itemColumns.join(', ')} FROM tabular_captures
           WHERE organization_id = $1 AND (time, id) > ($2, $3) ORDER BY time, id LIMIT $4 FOR KEY SHARE`,
          organizationId,
          after.time,
          after.id,
          most,
        );
        const found = await captures.joined(statements, organizationId, rows);
        await addValues(statements, organizationId, [{ id, path }], found);
        const last = found.at(-1);
        return { count: found.length, position: last === undefined ? position : toText(positionOf(last.capture)) };
      },
    },
  };
}

async function addValues(
  statements: Statements,
  organizationId: string,
  indexes: readonly Pick<LiveIndex, 'id' | 'path'>[],
  rows: readonly StoredCapture<TabularRow>[],
): Promise<void> {
  if (indexes.length === 0) return;
  const values = rows.flatMap(({ stream, capture }) =>
    indexes.flatMap(({ id, path }) =>
      Array.from(valuesAt({ data: capture.payload as StructValue }, path), (value) => ({
        index: id,
        key: indexKey(value),
        stream,
        capture,
      })),
    ),
  );
  if (values.length === 0) return;
  await statements.run(
    `INSERT INTO field_values (organization_id, index_id, value, time, id, stream)
     SELECT $1, * FROM unnest($2::bigint[], $3::bytea[], $4::double precision[], $5::text[], $6::bigint[])
     ON CONFLICT DO NOTHING`,
    organizationId,
    values.map(({ index }) => index),
    values.map(({ key }) => key),
    values.map(({ capture }) => capture.timeRequested),
    values.map(({ capture }) => capture.id),
    values.map(({ stream }) => stream),
  );
}

const toText = ({ time, id }: Position): string => `${time}/${id}`;

function fromText(position: string | null): Position {
  if (position === null) return first;
  const end = position.indexOf('/');
  return { time: Number(position.slice(0, end)), id: position.slice(end + 1) };
}
