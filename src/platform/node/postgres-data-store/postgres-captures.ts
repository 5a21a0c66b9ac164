import type {
  BinaryFilter,
  BinaryRecord,
  Order,
  Position,
  Scan,
  Summary,
  TabularFilter,
  TabularRow,
} from '../../../data-service/face/captures.ts';
import { marksOf, wantedMarks } from '../../data-store/capture-marks.ts';
import { boundsBeyond, captureRanges, comparePositions, type CaptureRange } from '../../data-store/capture-ranges.ts';
import { areOfOneStream, splitCapture, type CaptureStream } from '../../data-store/capture-stream.ts';
import { RangeMerge, type Lane } from '../../data-store/range-merge.ts';
import type { CopiedValue } from './copied-rows.ts';
import type { Row, SqlValue, Statements } from './postgres-database.ts';
import { PostgresStreams } from './postgres-streams.ts';
import { isDigest, textKey } from './text-key.ts';

/** What tells the tables of pictures and of readings apart. */
export interface CaptureCollection<Capture, Filter> {
  readonly table: 'binary_captures' | 'tabular_captures';
  /** besides organization and stream */
  readonly columns: readonly string[];
  /** values of a capture for these columns, in their order */
  readonly values: (capture: Capture) => readonly CopiedValue[];
  /** the columns that `join` reads */
  readonly readColumns: readonly string[];
  readonly join: (stream: CaptureStream, row: Row) => Capture;
  readonly matches: (filter: Filter, capture: Capture) => boolean;
}

interface Item extends Position {
  readonly row: Row;
}

/** What a page merges: ranges, all captures as they lie in order, or of these the captures of some streams. */
export type LaneRange = CaptureRange | 'everything' | { readonly streams: readonly number[] };

/** Pages whose captures are read at once from all streams together: asking again costs more than some rows too many. */
const readAhead = 3;

/** Captures of one collection with their streams and marks. Each method runs within a transaction, whose statements it is given. */
export class PostgresCaptures<Capture extends BinaryRecord | TabularRow, Filter extends BinaryFilter | TabularFilter> {
  readonly streams: PostgresStreams;
  readonly #collection: CaptureCollection<Capture, Filter>;
  readonly #table: string;

  constructor(collection: CaptureCollection<Capture, Filter>, streams = new PostgresStreams(collection.table)) {
    this.#collection = collection;
    this.#table = collection.table;
    this.streams = streams;
  }

  /** The columns that `joined` needs. */
  get itemColumns(): readonly string[] {
    return ['stream', 'time', 'id', ...this.#collection.readColumns];
  }

  async insert(statements: Statements, captures: readonly Capture[]): Promise<readonly StoredCapture<Capture>[]> {
    if (captures.length === 0) return [];
    const streams = await this.#streamsOf(statements, captures);
    const { columns, values } = this.#collection;
    const rows = function* () {
      for (const [index, capture] of captures.entries())
        yield [capture.organizationId, streams[index]!, ...values(capture)];
    };
    await statements.copy(this.#table, ['organization_id', 'stream', ...columns], rows());
    await this.#insertMarks(statements, captures, streams);
    return captures.map((capture, index) => ({ stream: streams[index]!, capture }));
  }

  /** Writes captures over what they were, and resolves to them, of which only tags, boxes and what is in no column may differ. */
  async replace(
    statements: Statements,
    before: readonly StoredCapture<Capture>[],
    after: readonly Capture[],
  ): Promise<readonly StoredCapture<Capture>[]> {
    if (after.length === 0) return [];
    const streams = await this.#streamsOf(statements, after);
    const entryColumn = this.#collection.columns.indexOf('entry');
    await this.#deleteMarks(statements, before);
    await statements.run(
      `UPDATE ${this.#table} AS held SET stream = new.stream, entry = new.entry
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[]) AS new (organization_id, id, stream, entry)
       WHERE held.organization_id = new.organization_id AND held.id = new.id`,
      after.map(({ organizationId }) => organizationId),
      after.map(({ id }) => id),
      streams,
      after.map((capture) => this.#collection.values(capture)[entryColumn]!),
    );
    await this.#insertMarks(statements, after, streams);
    return after.map((capture, index) => ({ stream: streams[index]!, capture }));
  }

  async #deleteMarks(statements: Statements, captures: readonly StoredCapture<Capture>[]): Promise<void> {
    const marks = captures.flatMap(({ capture, stream }) =>
      marksOf(capture).map((mark) => ({ capture, stream, mark })),
    );
    if (marks.length === 0) return;
    await statements.run(
      `DELETE FROM ${this.#table}_marks WHERE organization_id = ANY ($1::text[]) AND ctid = ANY (ARRAY (
         SELECT place.ctid
         FROM unnest($1::text[], $2::bigint[], $3::text[], $4::double precision[], $5::text[])
           AS gone (organization_id, stream, mark, time, id)
         CROSS JOIN LATERAL (
           SELECT ctid FROM ${this.#table}_marks AS held
           WHERE held.organization_id = gone.organization_id AND held.stream = gone.stream AND held.mark = gone.mark
             AND held.time = gone.time AND held.id = gone.id LIMIT 1
         ) AS place
       ))`,
      marks.map(({ capture }) => capture.organizationId),
      marks.map(({ stream }) => stream),
      marks.map(({ mark }) => markKey(mark)),
      marks.map(({ capture }) => capture.timeRequested),
      marks.map(({ capture }) => capture.id),
    );
  }

  /** Deletes captures of one organization with their marks; resolves to what there was of them. */
  async delete(
    statements: Statements,
    organizationId: string,
    captures: readonly StoredCapture<Capture>[],
  ): Promise<Summary> {
    await this.#deleteMarks(statements, captures);
    return deletedBy(
      statements,
      `DELETE FROM ${this.#table} WHERE organization_id = $1 AND ctid = ANY (ARRAY (
         SELECT held.ctid FROM unnest($2::bigint[], $3::double precision[], $4::text[]) AS gone (stream, time, id)
         CROSS JOIN LATERAL (${this.#at('gone', ['ctid'])}) AS held
       ))`,
      organizationId,
      captures.map(({ stream }) => stream),
      captures.map(({ capture }) => capture.timeRequested),
      captures.map(({ capture }) => capture.id),
    );
  }

  /** Makes captures of rows of the table, of which `itemColumns` were read. */
  async joined(
    statements: Statements,
    organizationId: string,
    rows: readonly Row[],
  ): Promise<readonly FoundCapture<Capture>[]> {
    const ids = rows.map(({ stream }) => stream as number);
    const streams = await this.streams.withIds(statements, organizationId, ids);
    return rows.map((row, index) => {
      const stream = ids[index]!;
      return { stream, capture: this.#collection.join(streams.get(stream)!, row), row };
    });
  }

  async page(statements: Statements, scan: Scan<Filter>): Promise<readonly FoundCapture<Capture>[]> {
    const found: FoundCapture<Capture>[] = [];
    for await (const batch of this.scan(statements, scan)) {
      found.push(...batch);
      if (found.length >= scan.limit) break;
    }
    return found.slice(0, scan.limit);
  }

  /** All matches beyond `after` in batches, some of them empty. */
  async *scan(
    statements: Statements,
    { filter, order, after, limit }: Scan<Filter>,
  ): AsyncGenerator<FoundCapture<Capture>[]> {
    const ranges = captureRanges(await this.streams.matching(statements, filter), wantedMarks(filter));
    const merge = new RangeMerge<LaneRange, Item>(
      ranges === 'everything' ? [ranges] : ranges,
      order,
      after,
      limit * readAhead,
    );
    for (;;) {
      const { lanes, batch } = merge.dry();
      const read = await this.#readLanes(statements, lanes, filter, order, batch);
      for (const [index, lane] of lanes.entries()) merge.fill(lane, read[index]!, batch);
      const items = merge.take();
      if (items.length === 0) return;
      const rows = items.map(({ row }) => row);
      yield (await this.joined(statements, filter.organizationId, rows)).filter(({ capture }) =>
        this.#collection.matches(filter, capture),
      );
    }
  }

  /** Count and bytes, off an index alone where the filter is one range of it for each stream, else by reading all that may match. */
  async summarize(statements: Statements, filter: Filter): Promise<Summary> {
    const bounds = boundsBeyond(filter.interval, 'ascending', null);
    const { anyOf, exact } = wantedMarks(filter);
    const isOneRange = exact && (anyOf === null || anyOf.length === 1) && !saysMore(filter);
    if (bounds === null || !isOneRange) return this.#summarizeRows(statements, filter);
    const { matching } = await this.streams.matching(statements, filter);
    const { lower, upper } = bounds;
    const found = await statements.row(
      `SELECT count(*) AS count, coalesce(sum(size), 0)::double precision AS bytes
       FROM ${this.#table}${anyOf === null ? '' : '_marks'}
       WHERE organization_id = $1 AND stream = ANY($2::bigint[]) AND (time, id) > ($3, $4) AND (time, id) < ($5, $6)
         ${anyOf === null ? '' : 'AND mark = $7'}`,
      filter.organizationId,
      matching,
      lower.time,
      lower.id,
      upper.time,
      upper.id,
      ...(anyOf ?? []).map(markKey),
    );
    return { count: found!['count'] as number, totalSizeBytes: found!['bytes'] as number };
  }

  /** The marks of a kind that the filter's captures bear, by leaps over the index; null where that cannot tell. */
  async marksByIndex(
    statements: Statements,
    filter: Filter,
    kind: { readonly from: string; readonly to: string },
  ): Promise<ReadonlySet<string> | null> {
    const bounds = boundsBeyond(filter.interval, 'ascending', null);
    if (wantedMarks(filter).anyOf !== null || bounds === null) return null;
    const { matching } = await this.streams.matching(statements, filter);
    const ofStream = (name: string) => `held.organization_id = $1 AND held.stream = ${name}.stream`;
    const next = (name: string, condition: string) =>
      `(SELECT mark FROM ${this.#table}_marks AS held WHERE ${ofStream(name)} AND ${condition} ORDER BY mark LIMIT 1)`;
    const { lower, upper } = bounds;
    const found = await statements.rows(
      `WITH RECURSIVE leaps (stream, mark) AS (
         SELECT stream, ${next('own', 'mark >= $3')} FROM unnest($2::bigint[]) AS own (stream)
         UNION ALL
         SELECT stream, ${next('leaps', 'held.mark > leaps.mark')} FROM leaps WHERE leaps.mark < $4
       )
       SELECT stream, mark FROM leaps WHERE mark < $4 AND EXISTS (
         SELECT FROM ${this.#table}_marks AS held
         WHERE ${ofStream('leaps')} AND held.mark = leaps.mark AND (time, id) > ($5, $6) AND (time, id) < ($7, $8)
       )`,
      filter.organizationId,
      matching,
      kind.from,
      kind.to,
      lower.time,
      lower.id,
      upper.time,
      upper.id,
    );
    const marks = new Set<string>();
    for (const { stream, mark } of found as readonly { readonly stream: number; readonly mark: string }[]) {
      marks.add(isDigest(mark.slice(1)) ? await this.#markOfDigest(statements, filter, { stream, mark }) : mark);
    }
    return marks;
  }

  /** Those that match of the captures whose stream, time and id `places` selects; its $1 is the organization. */
  async atPlaces(
    statements: Statements,
    filter: Filter,
    order: Order,
    places: string,
    values: readonly SqlValue[],
  ): Promise<readonly FoundCapture<Capture>[]> {
    const direction = order === 'ascending' ? 'ASC' : 'DESC';
    const rows = await statements.rows(
      `SELECT held.* FROM (${places}) AS place CROSS JOIN LATERAL (${this.#at('place', this.itemColumns)}) AS held
       ORDER BY held.time ${direction}, held.id ${direction}`,
      ...values,
    );
    const found = await this.joined(statements, filter.organizationId, rows);
    return found.filter(({ capture }) => this.#collection.matches(filter, capture));
  }

  /** Whether a capture of the organization bears a mark. */
  async bears(statements: Statements, organizationId: string, mark: string): Promise<boolean> {
    const streams = await this.streams.ofOrganization(statements, organizationId);
    const found = await statements.row(
      `SELECT FROM unnest($2::bigint[]) AS own (stream) WHERE EXISTS (
         SELECT FROM ${this.#table}_marks AS held
         WHERE held.organization_id = $1 AND held.stream = own.stream AND held.mark = $3
       ) LIMIT 1`,
      organizationId,
      [...streams.keys()],
      markKey(mark),
    );
    return found !== undefined;
  }

  async #streamsOf(statements: Statements, captures: readonly Capture[]): Promise<readonly number[]> {
    // most of an upload are of one stream: to name it once is quicker
    const streams: CaptureStream[] = [];
    for (const [index, capture] of captures.entries()) {
      const isAsBefore = index > 0 && areOfOneStream(captures[index - 1]!, capture);
      streams.push(isAsBefore ? streams[index - 1]! : splitCapture(capture).stream);
    }
    return this.streams.idsOf(statements, streams);
  }

  async #insertMarks(statements: Statements, captures: readonly Capture[], streams: readonly number[]): Promise<void> {
    const marks = captures.flatMap((capture, index) =>
      marksOf(capture).map((mark) => ({ capture, stream: streams[index]!, mark })),
    );
    if (marks.length === 0) return;
    await statements.run(
      `INSERT INTO ${this.#table}_marks (organization_id, stream, mark, time, id, size)
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::double precision[], $5::text[], $6::bigint[])`,
      marks.map(({ capture }) => capture.organizationId),
      marks.map(({ stream }) => stream),
      marks.map(({ mark }) => markKey(mark)),
      marks.map(({ capture }) => capture.timeRequested),
      marks.map(({ capture }) => capture.id),
      marks.map(({ capture }) => capture.sizeBytes),
    );
  }

  /** The next items of lanes, each in order: one statement for all of them. */
  async #readLanes(
    statements: Statements,
    lanes: readonly Lane<LaneRange, Item>[],
    filter: Filter,
    order: Order,
    limit: number,
  ): Promise<readonly (readonly Item[])[]> {
    const read: Item[][] = lanes.map(() => []);
    const select = (items: string): string => items;
    const rows = await this.selectOfLanes(statements, {
      lanes,
      filter,
      order,
      limit,
      columns: this.itemColumns,
      select,
    });
    for (const row of rows) {
      read[row['number'] as number]!.push({ time: row['time'] as number, id: row['id'] as string, row });
    }
    const sign = order === 'ascending' ? 1 : -1;
    for (const items of read) items.sort((a, b) => sign * comparePositions(a, b));
    return read;
  }

  /** What `select` selects of the next items of each lane, with the `number` of the lane: one statement for all of them. */
  async selectOfLanes(
    statements: Statements,
    { lanes, filter, order, limit, columns, select }: LaneSelection<Filter>,
  ): Promise<readonly Row[]> {
    const open = lanes.flatMap(({ range, beyond }, number) => {
      const bounds = boundsBeyond(filter.interval, order, beyond);
      return bounds === null ? [] : [{ number, range, ...bounds }];
    });
    const [first] = open;
    if (first === undefined) return [];
    const rangesAlone = open.map(({ range }) => (range === 'everything' || 'streams' in range ? null : range));
    return statements.rows(
      `SELECT lane.number, item.*
       FROM unnest($2::integer[], $3::bigint[], $4::text[], $5::double precision[], $6::text[], $7::double precision[], $8::text[])
         AS lane (number, stream, mark, lower_time, lower_id, upper_time, upper_id)
       CROSS JOIN LATERAL (${select(this.#laneItems(first.range, order, columns))}) AS item`,
      filter.organizationId,
      open.map(({ number }) => number),
      rangesAlone.map((range) => range && range.stream),
      rangesAlone.map((range) => range && range.mark && markKey(range.mark)),
      open.map(({ lower }) => lower.time),
      open.map(({ lower }) => lower.id),
      open.map(({ upper }) => upper.time),
      open.map(({ upper }) => upper.id),
      limit,
      ...(first.range !== 'everything' && 'streams' in first.range ? [first.range.streams] : []),
    );
  }

  /** Selects the items of a lane. All lanes of a filter are of one kind. */
  #laneItems(range: LaneRange, order: Order, columns: readonly string[]): string {
    const direction = order === 'ascending' ? 'ASC' : 'DESC';
    const within = '(time, id) > (lane.lower_time, lane.lower_id) AND (time, id) < (lane.upper_time, lane.upper_id)';
    const inOrder = `ORDER BY time ${direction}, id ${direction} LIMIT $9`;
    const table = this.#table;
    const ofTable = (condition: string): string =>
      `SELECT ${columns.join(', ')} FROM ${table} WHERE organization_id = $1 ${condition} AND ${within} ${inOrder}`;
    if (range === 'everything') return ofTable('');
    if ('streams' in range) return ofTable('AND stream = ANY ($10::bigint[])');
    if (range.mark === null) return ofTable('AND stream = lane.stream');
    return `
      SELECT held.* FROM (
        SELECT stream, time, id FROM ${table}_marks
        WHERE organization_id = $1 AND stream = lane.stream AND mark = lane.mark AND ${within} ${inOrder}
      ) AS bearer CROSS JOIN LATERAL (${this.#at('bearer', columns)}) AS held`;
  }

  /** Selects the capture at a place, by its index: of a join, the planner may think that it is quicker to read the table. */
  #at(place: string, columns: readonly string[]): string {
    const ofPlace = ['stream', 'time', 'id'].map((name) => `found.${name} = ${place}.${name}`).join(' AND ');
    const read = columns.map((name) => `found.${name}`).join(', ');
    return `SELECT ${read} FROM ${this.#table} AS found WHERE found.organization_id = $1 AND ${ofPlace} LIMIT 1`;
  }

  async #markOfDigest(statements: Statements, filter: Filter, range: CaptureRange & { mark: string }): Promise<string> {
    const row = await statements.row(
      `SELECT ${this.itemColumns.map((name) => `held.${name}`).join(', ')}
       FROM ${this.#table}_marks AS bearer JOIN ${this.#table} AS held USING (organization_id, stream, time, id)
       WHERE bearer.organization_id = $1 AND bearer.stream = $2 AND bearer.mark = $3 LIMIT 1`,
      filter.organizationId,
      range.stream,
      range.mark,
    );
    const [bearer] = await this.joined(statements, filter.organizationId, [row!]);
    return marksOf(bearer!.capture).find((mark) => markKey(mark) === range.mark)!;
  }

  async #summarizeRows(statements: Statements, filter: Filter): Promise<Summary> {
    const total = { count: 0, totalSizeBytes: 0 };
    for await (const found of this.scan(statements, { filter, order: 'ascending', after: null, limit: Infinity })) {
      total.count += found.length;
      for (const { capture } of found) total.totalSizeBytes += capture.sizeBytes;
    }
    return total;
  }
}

/** Runs a statement that deletes captures; resolves to what there was of them. */
export async function deletedBy(statements: Statements, sql: string, ...values: readonly SqlValue[]): Promise<Summary> {
  const found = await statements.row(
    `WITH gone AS (${sql} RETURNING size) SELECT count(*) AS count, coalesce(sum(size), 0)::bigint AS bytes FROM gone`,
    ...values,
  );
  return { count: found!['count'] as number, totalSizeBytes: found!['bytes'] as number };
}

interface LaneSelection<Filter> {
  readonly lanes: readonly Pick<Lane<LaneRange, Position>, 'range' | 'beyond'>[];
  readonly filter: Filter;
  readonly order: Order;
  /** most items of a lane */
  readonly limit: number;
  /** columns that are read of each item */
  readonly columns: readonly string[];
  /** makes SQL of SQL that selects the items of a lane in order */
  readonly select: (items: string) => string;
}

export interface StoredCapture<Capture> {
  readonly stream: number;
  readonly capture: Capture;
}

export interface FoundCapture<Capture> extends StoredCapture<Capture> {
  /** the row with the columns that were read */
  readonly row: Row;
}

/** Whether a filter asks for what neither streams nor marks tell. */
export const saysMore = (filter: BinaryFilter | TabularFilter): boolean =>
  'additionalParameters' in filter && filter.additionalParameters !== null;

const markKey = (mark: string): string => mark.slice(0, 1) + textKey(mark.slice(1));
