import { deserialize, serialize } from 'node:v8';
import {
  deletionOfReadings,
  type FieldHint,
  matchesTabular,
  type Micros,
  type OriginCounts,
  type PackedReadings,
  type PackedScans,
  packRows,
  payloadText,
  type Scan,
  type StructObject,
  type Summary,
  type TabularFilter,
  type TabularRow,
  type TabularStore,
} from '../../../data-service/face/captures.ts';
import { requireInTime } from '../../../data-service/face/stores.ts';
import { wantedMarks } from '../../data-store/capture-marks.ts';
import { boundsBeyond, type OpenBounds } from '../../data-store/capture-ranges.ts';
import { joinTabular } from '../../data-store/capture-stream.ts';
import { readingsUntil } from '../../data-store/readings-until.ts';
import { keepReceipt } from '../../data-store/entities/receipt-store.ts';
import { runInTurn } from '../../data-store/steps.ts';
import { advisoryLock } from './advisory-lock.ts';
import { originCounts } from './origin-counts.ts';
import { packedScan } from './packed-scan.ts';
import {
  deletedBy,
  PostgresCaptures,
  saysMore,
  type CaptureCollection,
  type StoredCapture,
} from './postgres-captures.ts';
import type { PostgresDatabase, Row, Statements } from './postgres-database.ts';
import { PostgresTables, type KeepChanges } from './postgres-tables.ts';
import { countAdded, countDeleted } from './postgres-usage-store.ts';

/** Readings that one transaction deletes, at most: others that write to them wait for its end. */
const deletedAtOnce = 2000;

/** What most readings have none of, so that their columns say all. */
type Rest = Pick<TabularRow, 'methodParameters' | 'tags' | 'additionalParameters'> & {
  readonly payload?: StructObject;
};

function entryOf(
  { methodParameters, tags, additionalParameters, payload }: TabularRow,
  isInText: boolean,
): Uint8Array | null {
  const isBare = Object.keys(methodParameters).length === 0 && tags.length === 0 && additionalParameters === '';
  if (isInText && isBare) return null;
  return serialize({ methodParameters, tags, additionalParameters, ...(isInText ? {} : { payload }) } satisfies Rest);
}

const bare: Rest = { methodParameters: {}, tags: [], additionalParameters: '' };

const restOf = ({ entry }: Row): Rest => (entry === null ? bare : (deserialize(entry as Uint8Array) as Rest));

const tabularCaptures: CaptureCollection<TabularRow, TabularFilter> = {
  table: 'tabular_captures',
  columns: ['time', 'id', 'time_received', 'time_synced', 'size', 'payload', 'entry'],
  values(row) {
    const text = payloadText(row.payload);
    const { timeRequested, id, timeReceived, timeSynced, sizeBytes } = row;
    return [timeRequested, id, timeReceived, timeSynced, sizeBytes, text, entryOf(row, text !== null)];
  },
  readColumns: ['time_received', 'time_synced', 'size', 'payload', 'entry'],
  join(stream, row) {
    const rest = restOf(row);
    const payload = row['payload'] as string | null;
    return joinTabular(stream, {
      id: row['id'] as string,
      timeRequested: row['time'] as number,
      timeReceived: row['time_received'] as number,
      timeSynced: row['time_synced'] as number,
      sizeBytes: row['size'] as number,
      ...rest,
      payload: payload === null ? rest.payload! : (JSON.parse(payload) as StructObject),
    });
  },
  matches: matchesTabular,
};

export type TabularCaptures = PostgresCaptures<TabularRow, TabularFilter>;

export const postgresTabularCaptures = (): TabularCaptures => new PostgresCaptures(tabularCaptures);

/** Indexes of clients on fields of readings. What they hold of a reading goes with its row (ON DELETE CASCADE). */
export interface FieldIndexes {
  /** Within the write that has inserted the readings. */
  add(statements: Statements, rows: readonly StoredCapture<TabularRow>[]): Promise<void>;
  /** Matches off an index that fits one of the hints; null: there is none. */
  page(
    statements: Statements,
    scan: Scan<TabularFilter>,
    hints: readonly FieldHint[],
  ): Promise<readonly StoredCapture<TabularRow>[] | null>;
}

export type PostgresTabularStore = TabularStore & PackedScans & OriginCounts;

export function postgresTabularStore(
  database: PostgresDatabase,
  captures: TabularCaptures,
  indexes: FieldIndexes,
  keep: KeepChanges,
): PostgresTabularStore {
  const page = (scan: Scan<TabularFilter>, hints: readonly FieldHint[]): Promise<readonly TabularRow[]> =>
    database.read(async (statements) => {
      const found = (await indexes.page(statements, scan, hints)) ?? (await captures.page(statements, scan));
      return found.map(({ capture }) => capture);
    });

  return {
    insert: (rows, receipt, notAfter = Infinity) =>
      database.write(async (statements) => {
        if (notAfter < Infinity) {
          // in this order: from here on the write is among those of which the oldest is asked for
          const found = await statements.row('SELECT pg_current_xact_id(), store_time() AS now');
          requireInTime(found!['now'] as Micros, notAfter);
        }
        await runInTurn(keepReceipt(new PostgresTables(statements), receipt));
        const inserted = await captures.insert(statements, rows);
        await indexes.add(statements, inserted);
        await countAdded(statements, 'readings', rows);
      }),
    page: (scan) => page(scan, []),
    pageByHints: page,
    packedPage: async (scan, hints) => packRows(await page(scan, hints)),
    packedScan: (filter, hints, limit, wanted) =>
      database.readAll(async function* (statements) {
        const indexed = await indexes.page(statements, { filter, order: 'ascending', after: null, limit }, hints);
        if (indexed === null) yield* packedScan({ statements, captures, filter, limit, wanted });
        else yield wholeReadings(indexed.map(({ capture }) => capture));
      }),
    originCounts: (filter) => database.read((statements) => originCounts(statements, captures.streams, filter)),
    summarize: (filter) => database.read((statements) => captures.summarize(statements, filter)),
    async delete(filter, limit, syncedUntil = Infinity) {
      const bounds = boundsBeyond(filter.interval, 'ascending', null);
      if (bounds === null) return 0;
      const { organizationId } = filter;
      const inTurns = async (most: number, turn: (statements: Statements, most: number) => Promise<Summary>) => {
        for (let deleted = 0; ;) {
          const asked = Math.min(deletedAtOnce, most - deleted);
          if (asked <= 0) return deleted;
          const count = await database.write(async (statements) => {
            // two turns that delete the same rows would wait for each other, and count rows that the other deletes
            await advisoryLock(statements, 'delete readings', organizationId);
            const gone = await turn(statements, asked);
            await countDeleted(statements, 'readings', organizationId, gone);
            await keep(statements, deletionOfReadings(filter, gone.count));
            return gone.count;
          });
          deleted += count;
          if (count < asked) return deleted;
        }
      };
      let deleted = 0;
      for (const stream of await unmarkedStreams(database, captures, filter)) {
        deleted += await inTurns(limit - deleted, (statements, most) =>
          deleteOfStream(statements, organizationId, stream, bounds, most, syncedUntil),
        );
      }
      return (
        deleted + (await inTurns(limit - deleted, (...turn) => deletePage(captures, filter, syncedUntil, ...turn)))
      );
    },
    async arrivals(organizationId, after, limit) {
      const rows = await database.rows(
        `SELECT id, time, time_synced FROM tabular_captures
         WHERE organization_id = $1 AND (time_synced, id) > ($2, $3) ORDER BY time_synced, id LIMIT $4`,
        organizationId,
        after.timeSynced,
        after.id,
        limit,
      );
      return rows.map(({ id, time, time_synced: timeSynced }) => ({
        id: id as string,
        timeRequested: time as number,
        timeSynced: timeSynced as number,
      }));
    },
  };
}

const wholeReadings = (rows: readonly TabularRow[]): PackedReadings => ({
  ...packRows(rows).readings,
  rest: {
    timesReceived: Float64Array.from(rows, ({ timeReceived }) => timeReceived),
    details: rows.map(({ tags, additionalParameters }, index) => [index, { tags, additionalParameters }]),
  },
});

/** The streams that a filter takes whole within its interval, and whose readings bear no marks: none of them has to be read. */
async function unmarkedStreams(
  database: PostgresDatabase,
  captures: TabularCaptures,
  filter: TabularFilter,
): Promise<readonly number[]> {
  if (saysMore(filter) || wantedMarks(filter).anyOf !== null) return [];
  return database.read(async (statements) => {
    const { matching } = await captures.streams.matching(statements, filter);
    const own = await captures.streams.ofOrganization(statements, filter.organizationId);
    return matching.filter((id) => !own.get(id)!.isTagged);
  });
}

function deleteOfStream(
  statements: Statements,
  organizationId: string,
  stream: number,
  { lower, upper }: OpenBounds,
  most: number,
  syncedUntil: number,
): Promise<Summary> {
  // by their places in the table: no choice of the planner reads all of it
  return deletedBy(
    statements,
    `DELETE FROM tabular_captures WHERE organization_id = $1 AND ctid = ANY (ARRAY (
       SELECT ctid FROM tabular_captures
       WHERE organization_id = $1 AND stream = $2 AND (time, id) > ($3, $4) AND (time, id) < ($5, $6)
         AND time_synced <= $7
       ORDER BY time, id LIMIT $8
     ))`,
    organizationId,
    stream,
    lower.time,
    lower.id,
    upper.time,
    upper.id,
    syncedUntil,
    most,
  );
}

async function deletePage(
  captures: TabularCaptures,
  filter: TabularFilter,
  syncedUntil: number,
  statements: Statements,
  most: number,
): Promise<Summary> {
  const found = await readingsUntil(
    (after, limit) => captures.page(statements, { filter, order: 'ascending', after, limit }),
    ({ capture }) => capture,
    most,
    syncedUntil,
  );
  return captures.delete(statements, filter.organizationId, found);
}
