import { deserialize } from 'node:v8';
import {
  type PackedReadings,
  type PackedRest,
  packReadings,
  type Position,
  type ReadingParts,
  type ReadingToPack,
  type StructObject,
  type TabularFilter,
  type TabularRow,
} from '../../../data-service/face/captures.ts';
import { wantedMarks } from '../../data-store/capture-marks.ts';
import { captureRanges } from '../../data-store/capture-ranges.ts';
import type { CaptureStream } from '../../data-store/capture-stream.ts';
import { RangeMerge, type Lane } from '../../data-store/range-merge.ts';
import type { LaneRange, PostgresCaptures } from './postgres-captures.ts';
import type { Row, Statements } from './postgres-database.ts';

/** A query with a small $limit needs no more than the first page. */
const smallestPage = 100;
const largestPage = 4000;
/** Length of the payloads of a page, as far as those before tell: a single reading may have 4 MB. */
const pageTextLength = 8 * 1024 * 1024;
/** What a page of more than one reading has at most, in bytes: the database refuses values of 1 GB. */
const mostBytes = 4 * pageTextLength;

const columns = ['stream', 'time', 'id', 'time_received', 'payload', 'entry'];

/** No payload's text has a line feed, so the texts can be told apart again. */
const betweenPayloads = ',\n';
/** Before the text of a reading whose entry is wanted: no payload's text begins with it, and JSON may. */
const entryMark = ' ';

/** Known to the database without reading the values. */
const bytesOfItem = 'coalesce(octet_length(payload), 0) + coalesce(octet_length(entry), 0)';

/**
 * Packs the wanted parts of the items of a lane into one row, in their order: to the driver a row costs more than a reading to the
 * database, and to that each part of a reading costs something. Those of more than `mostOfItem` bytes are left out, for the row to be
 * asked again for fewer items.
 */
function packed({ times, origins, payloads, rest }: ReadingParts, ids: string, mostOfItem: number) {
  const doubles = (column: string, isWanted: boolean) =>
    isWanted ? `string_agg(float8send(${column}), ''::bytea)` : 'NULL::bytea';
  const text = rest ? "CASE WHEN entry IS NULL THEN payload ELSE ' ' || payload END" : 'payload';
  const texts = `max(${bytesOfItem}) AS largest,
    string_agg(coalesce(${text}, ' null'), E',\\n') FILTER (WHERE ${bytesOfItem} <= ${mostOfItem}) AS payloads,
    array_agg(entry) FILTER (WHERE ${rest ? 'entry IS NOT NULL' : 'payload IS NULL'} AND ${bytesOfItem} <= ${mostOfItem}) AS entries`;
  return (items: string) => `
  SELECT count(*) AS count,
    max(time) AS last_time,
    ${doubles('time', times)} AS times,
    ${doubles('time_received', rest)} AS received,
    ${doubles('stream', origins)} AS streams,
    ${payloads ? texts : 'NULL AS largest, NULL AS payloads, NULL AS entries'},
    ${ids} AS ids
  FROM (${items}) AS packed`;
}
const mostInteger = 2 ** 31 - 1;
const lastId = '(array_agg(id))[count(*)]';
const allIds = "'[' || string_agg(to_json(id)::text, ',') || ']'";

type Origins = ReadonlyMap<number, CaptureStream>;
type PackedLane = Pick<Lane<LaneRange, Position>, 'range' | 'beyond'>;
/** The parts of a reading that are in no column. */
type Entry = Pick<TabularRow, 'tags' | 'additionalParameters'> & { readonly payload?: StructObject };
type Entries = ReadonlyMap<number, Entry>;

interface Scan {
  readonly statements: Statements;
  readonly captures: PostgresCaptures<TabularRow, TabularFilter>;
  readonly filter: TabularFilter;
  /** most readings of the scan */
  readonly limit: number;
  readonly wanted: ReadingParts;
}

/** Up to `limit` readings that match, ascending, page by page. Not for filters by additional parameters. */
export async function* packedScan(given: Scan): AsyncGenerator<PackedReadings> {
  const { statements, captures, filter } = given;
  // the payloads tell which readings the rest is of
  const scan = { ...given, wanted: { ...given.wanted, payloads: given.wanted.payloads || given.wanted.rest } };
  await preferOrderedIndexes(statements);
  const streams = await captures.streams.matching(statements, filter);
  const origins = await captures.streams.ofOrganization(statements, filter.organizationId);
  const marks = wantedMarks(filter);
  const ranges = captureRanges(streams, marks);
  const isOfAll = streams.matching.length === streams.total && marks.anyOf === null;
  if (ranges === 'everything' || (isOfAll && streams.total > 1)) {
    yield* pagesOfLane(scan, { streams: streams.matching }, origins);
  } else if (ranges.length === 1 && marks.anyOf === null) yield* pagesOfLane(scan, ranges[0]!, origins);
  else if (ranges.length > 0) {
    const wanted = { ...scan.wanted, times: true, origins: true, payloads: true };
    yield* mergedPages({ ...scan, wanted }, ranges, origins);
  }
}

/**
 * Has the rest of the transaction read by the indexes that have readings in order: for a page the planner would else now and then
 * read all that follows it, and sort that.
 */
async function preferOrderedIndexes(statements: Statements): Promise<void> {
  const others = ['enable_bitmapscan', 'enable_seqscan', 'enable_sort'];
  await statements.rows("SELECT set_config(name, 'off', true) FROM unnest($1::text[]) AS name", others);
}

/** Pages of what the database gives in order: they are taken as they come. */
async function* pagesOfLane(scan: Scan, range: LaneRange, origins: Origins): AsyncGenerator<PackedReadings> {
  let beyond: Position | null = null;
  let size = smallestPage;
  for (let left = scan.limit; left > 0;) {
    const { rows, asked } = await readLanes(scan, [{ range, beyond }], mostBytes, Math.min(left, size), lastId);
    const [row]: readonly Row[] = rows;
    const count = (row?.['count'] ?? 0) as number;
    if (count === 0) return;
    const { times, received, streams, payloads, entries } = unpackedColumns(row!);
    yield {
      count,
      timesRequested: times,
      payloads: `[${payloads}]`,
      unusual: unusualOf(entries),
      ...originsOf(streams, origins),
      ...(received && { rest: restOf(received, entries) }),
    };
    if (count < asked) return;
    left -= count;
    beyond = { time: row!['last_time'] as number, id: row!['ids'] as string };
    size = Math.min(asked * 4, largestPage, readingsWithin(pageTextLength, count, payloads.length));
  }
}

interface Item extends Position {
  readonly stream: number;
  readonly received: number | undefined;
  readonly text: string;
  readonly entry: Entry | undefined;
}

/** Pages of what several ranges have in order. */
async function* mergedPages(
  scan: Scan,
  ranges: readonly LaneRange[],
  origins: Origins,
): AsyncGenerator<PackedReadings> {
  const merge = new RangeMerge<LaneRange, Item>(ranges, 'ascending', null, smallestPage);
  let most = Infinity;
  for (let left = scan.limit; left > 0;) {
    const { lanes, batch } = merge.dry();
    const { rows, asked } = await readLanes(scan, lanes, mostBytes / ranges.length, Math.min(batch, most), allIds);
    const items: Item[][] = lanes.map(() => []);
    for (const row of rows) items[row['number'] as number] = itemsOf(row);
    for (const [index, lane] of lanes.entries()) merge.fill(lane, items[index]!, asked);
    const length = rows.reduce((sum, row) => sum + ((row['payloads'] as string | null)?.length ?? 0), 0);
    most = asked * 4;
    if (length > 0) most = Math.min(most, readingsWithin(pageTextLength / ranges.length, items.flat().length, length));
    const taken = merge.take().slice(0, left);
    if (taken.length === 0) return;
    yield packItems(taken, origins, scan.wanted.rest);
    left -= taken.length;
  }
}

/** How many readings are of this length, where `count` were of another one. */
const readingsWithin = (length: number, count: number, countLength: number): number =>
  Math.max(1, Math.floor((length * count) / countLength));

/** A row for each lane, of up to `limit` readings; of fewer (`asked`) where they could have more than `mostOfLane` bytes. */
async function readLanes(
  { statements, captures, filter, wanted }: Scan,
  lanes: readonly PackedLane[],
  mostOfLane: number,
  limit: number,
  ids: string,
): Promise<{ readonly rows: readonly Row[]; readonly asked: number }> {
  for (let asked = limit; ;) {
    const mostOfItem = asked === 1 ? mostInteger : Math.floor(mostOfLane / asked);
    const select = packed(wanted, ids, mostOfItem);
    const part = { lanes, filter, order: 'ascending', limit: asked, columns, select } as const;
    const rows = await captures.selectOfLanes(statements, part);
    const largest = rows.reduce((most, row) => Math.max(most, (row['largest'] ?? 0) as number), 0);
    if (largest <= mostOfItem) return { rows, asked };
    asked = Math.max(1, Math.floor(mostOfLane / largest));
  }
}

function unpackedColumns(row: Row) {
  const payloads = (row['payloads'] ?? '') as string;
  const received = row['received'] as Buffer | null;
  return {
    times: doubles(row['times'] as Buffer | null),
    received: received && doubles(received),
    streams: doubles(row['streams'] as Buffer | null),
    payloads,
    entries: entriesOf(payloads, row['entries'] as readonly Buffer[] | null),
  };
}

/** The database sends them with the highest byte first. None, where they are not wanted. */
function doubles(bytes: Buffer | null): Float64Array {
  if (bytes === null) return new Float64Array();
  const own = new Uint8Array(bytes);
  Buffer.from(own.buffer).swap64();
  return new Float64Array(own.buffer);
}

/** The wanted entries, by the places of their readings. */
function entriesOf(payloads: string, entries: readonly Buffer[] | null): Entries {
  if (entries === null) return new Map();
  const places = payloads.split(betweenPayloads).flatMap((text, place) => (text.startsWith(entryMark) ? [place] : []));
  return new Map(places.map((place, index) => [place, deserialize(entries[index]!) as Entry]));
}

/** Payloads that are no texts. */
const unusualOf = (entries: Entries): PackedReadings['unusual'] =>
  [...entries].flatMap(([place, { payload }]) => (payload === undefined ? [] : [[place, payload] as const]));

const restOf = (timesReceived: Float64Array, entries: Entries): PackedRest => ({
  timesReceived,
  details: [...entries],
});

function originsOf(streams: Float64Array, origins: Origins): Pick<PackedReadings, 'origins' | 'originOf'> {
  const places = new Map<number, number>();
  const originOf = new Uint32Array(streams.length);
  for (let index = 0; index < streams.length; index++) {
    const stream = streams[index]!;
    let place = places.get(stream);
    if (place === undefined) places.set(stream, (place = places.size));
    originOf[index] = place;
  }
  return { origins: Array.from(places.keys(), (stream) => origins.get(stream)!), originOf };
}

function itemsOf(row: Row): Item[] {
  if (row['count'] === 0) return [];
  const { times, received, streams, payloads, entries } = unpackedColumns(row);
  const ids = JSON.parse(row['ids'] as string) as readonly string[];
  const texts = payloads.split(betweenPayloads);
  return ids.map((id, place) => ({
    time: times[place]!,
    id,
    stream: streams[place]!,
    received: received?.[place],
    text: texts[place]!,
    entry: entries.get(place),
  }));
}

function packItems(items: readonly Item[], origins: Origins, withRest: boolean): PackedReadings {
  const toPack = items.map(({ time, id, stream, text, entry }): ReadingToPack => ({
    time,
    id,
    origin: origins.get(stream)!,
    text: entry?.payload === undefined ? text : null,
    payload: () => entry!.payload!,
  }));
  const { readings } = packReadings(toPack);
  if (!withRest) return readings;
  const entries = items.flatMap(({ entry }, index) => (entry === undefined ? [] : [[index, entry] as const]));
  return {
    ...readings,
    rest: restOf(
      Float64Array.from(items, ({ received }) => received!),
      new Map(entries),
    ),
  };
}
