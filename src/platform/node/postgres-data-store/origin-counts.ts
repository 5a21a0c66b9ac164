import type { OriginCount, TabularFilter } from '../../../data-service/face/captures.ts';
import { boundsBeyond } from '../../data-store/capture-ranges.ts';
import type { Statements } from './postgres-database.ts';
import type { PostgresStreams } from './postgres-streams.ts';

/** How many readings each stream has within the filter's interval, in the order of their first ones: by an index alone. */
export async function originCounts(
  statements: Statements,
  streams: PostgresStreams,
  filter: TabularFilter,
): Promise<readonly OriginCount[]> {
  const bounds = boundsBeyond(filter.interval, 'ascending', null);
  if (bounds === null) return [];
  const { matching } = await streams.matching(statements, filter);
  const within = 'organization_id = $1 AND stream = own.stream AND (time, id) > ($3, $4) AND (time, id) < ($5, $6)';
  const { lower, upper } = bounds;
  const found = await statements.rows(
    `SELECT own.stream, counted.count FROM unnest($2::bigint[]) AS own (stream)
     CROSS JOIN LATERAL (SELECT time, id FROM tabular_captures WHERE ${within} ORDER BY time, id LIMIT 1) AS first
     CROSS JOIN LATERAL (SELECT count(*) AS count FROM tabular_captures WHERE ${within}) AS counted
     ORDER BY first.time, first.id`,
    filter.organizationId,
    matching,
    lower.time,
    lower.id,
    upper.time,
    upper.id,
  );
  const origins = await streams.ofOrganization(statements, filter.organizationId);
  return found.map(({ stream, count }) => ({ origin: origins.get(stream as number)!, count: count as number }));
}
