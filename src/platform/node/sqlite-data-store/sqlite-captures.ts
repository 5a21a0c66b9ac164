import { serialize } from 'node:v8';
import type {
  BinaryFilter,
  BinaryRecord,
  Order,
  Position,
  Scan,
  StructObject,
  Summary,
  TabularFilter,
  TabularRow,
} from '../../../data-service/face/captures.ts';
import { marksOf, wantedMarks } from '../../data-store/capture-marks.ts';
import { boundsBeyond, captureRanges, type CaptureRange, type OpenBounds } from '../../data-store/capture-ranges.ts';
import { splitCapture, type CaptureStream, type StreamEntry } from '../../data-store/capture-stream.ts';
import { RangeMerge } from '../../data-store/range-merge.ts';
import { readEntry } from './entry-table.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteSheets, type SheetItem } from './sqlite-sheets.ts';
import { SqliteStreams } from './sqlite-streams.ts';

/** What tells the tables of pictures and of readings apart. */
export interface CaptureCollection<Capture, Filter> {
  readonly table: 'binary_captures' | 'tabular_captures';
  /** the columns that only this collection has */
  readonly ownColumns: (capture: Capture) => Readonly<Record<string, string | number | null>>;
  /** the columns that make an entry */
  readonly entryColumns: 'entry' | 'entry, payload';
  /** whether many of them are packed into sheets */
  readonly hasSheets: boolean;
  readonly join: (stream: CaptureStream, entry: never) => Capture;
  readonly matches: (filter: Filter, capture: Capture) => boolean;
}

/** A capture in a row of its own. */
export interface StoredCapture extends Position {
  readonly stream: number;
  readonly entry: Uint8Array;
  /** the payload of a reading as JSON text, unless it is in the entry */
  readonly payload?: string | null;
}

type Range = CaptureRange | { readonly organizationId: string } | { readonly sheetsOf: number };

/** Captures of one collection with their streams and marks. Its methods run within a transaction of `database`. */
export class SqliteCaptures<Capture extends BinaryRecord | TabularRow, Filter extends BinaryFilter | TabularFilter> {
  readonly streams: SqliteStreams;
  readonly sheets: SqliteSheets | null;
  readonly #database: SqliteDatabase;
  readonly #collection: CaptureCollection<Capture, Filter>;
  readonly #table: string;

  constructor(database: SqliteDatabase, collection: CaptureCollection<Capture, Filter>) {
    this.#database = database;
    this.#collection = collection;
    this.#table = collection.table;
    this.streams = new SqliteStreams(database, collection.table);
    this.sheets = collection.hasSheets ? new SqliteSheets(database) : null;
  }

  /** Forgets what was remembered from within a transaction that was undone: it is void. */
  forget(): void {
    this.streams.forget();
    this.sheets?.forget();
  }

  /** Returns the row. */
  insert(capture: Capture): number {
    const { stream, entry } = splitCapture(capture);
    const own = this.#collection.ownColumns(capture);
    const streamId = this.streams.idOf(stream);
    const names = ['id', 'organization_id', 'stream', 'time', 'size', 'entry', ...Object.keys(own)];
    const { row } = this.#database.run(
      `INSERT INTO ${this.#table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      capture.id,
      capture.organizationId,
      streamId,
      capture.timeRequested,
      capture.sizeBytes,
      serialize(typeof own.payload === 'string' ? { ...entry, payload: undefined } : entry),
      ...Object.values(own),
    );
    this.#insertMarks(capture, streamId, row);
    return row;
  }

  find(organizationId: string, id: string): Capture | null {
    const found = this.#database.get(
      `SELECT stream, ${this.#collection.entryColumns} FROM ${this.#table} WHERE id = ? AND organization_id = ?`,
      id,
      organizationId,
    );
    return found === undefined ? null : this.join(found as unknown as StoredCapture);
  }

  /** For captures whose own columns stay as they are. */
  replace(before: Capture, after: Capture): void {
    const { stream, entry } = splitCapture(after);
    const streamId = this.streams.idOf(stream);
    const { row } = this.#database.get(`SELECT row FROM ${this.#table} WHERE id = ?`, before.id) as { row: number };
    this.#deleteMarks(before);
    this.#database.run(
      `UPDATE ${this.#table} SET stream = ?, entry = ? WHERE row = ?`,
      streamId,
      serialize(entry),
      row,
    );
    this.#insertMarks(after, streamId, row);
  }

  /** Whether there was a row of the capture: it may be in a sheet. */
  delete(capture: Capture): boolean {
    this.#deleteMarks(capture);
    return this.#database.run(`DELETE FROM ${this.#table} WHERE id = ?`, capture.id).changes > 0;
  }

  /** Removes whole sheets of matches, of `limit` readings at most; returns what they held. Nothing: no sheet has matches alone. */
  deleteSheets(filter: Filter, limit: number, syncedUntil: number): Summary {
    const deleted = { count: 0, totalSizeBytes: 0 };
    const saysMore = 'additionalParameters' in filter && filter.additionalParameters !== null;
    const bounds = boundsBeyond(filter.interval, 'ascending', null);
    if (this.sheets === null || bounds === null || saysMore || wantedMarks(filter).anyOf !== null) return deleted;
    for (const stream of this.streams.matching(filter).matching) {
      const { count, totalSizeBytes } = this.sheets.removeInside(stream, bounds, limit - deleted.count, syncedUntil);
      deleted.count += count;
      deleted.totalSizeBytes += totalSizeBytes;
      if (deleted.count === limit) break;
    }
    return deleted;
  }

  page(scan: Scan<Filter>): Capture[] {
    const found: Capture[] = [];
    for (const batch of this.scan(scan)) {
      found.push(...batch);
      if (found.length >= scan.limit) break;
    }
    return found.slice(0, scan.limit);
  }

  /** All matches beyond `after` in batches, some of them empty. */
  *scan(scan: Scan<Filter>): Generator<Capture[]> {
    const { filter, order, after, limit } = scan;
    const merge = new RangeMerge<Range, StoredCapture | SheetItem>(this.#ranges(filter), order, after, limit);
    for (;;) {
      const { lanes, batch } = merge.dry();
      for (const lane of lanes) {
        merge.fill(lane, this.#readItems(lane.range, filter, order, lane.beyond, batch), batch);
      }
      const items = merge.take();
      if (items.length === 0) return;
      yield this.matching(filter, items);
    }
  }

  /** Captures by the id of their stream, added if it is new: within a write. */
  byStream(captures: readonly Capture[]): ReadonlyMap<number, readonly Capture[]> {
    const byStream = new Map<number, Capture[]>();
    for (const capture of captures) {
      const stream = this.streams.idOf(splitCapture(capture).stream);
      const own = byStream.get(stream);
      if (own) own.push(capture);
      else byStream.set(stream, [capture]);
    }
    return byStream;
  }

  /** The captures of a stream that have rows of their own, up to `limit` within bounds, in order. */
  rowsOf(stream: number, bounds: OpenBounds, limit: number): (StoredCapture & { readonly row: number })[] {
    const columns = `row, time, id, stream, ${this.#collection.entryColumns}`;
    return this.#readBetween(columns, { stream, mark: null }, 'ascending', bounds, limit).map(
      ([row, time, id, , entry, payload]) => ({ row, time, id, stream, entry, payload }) as never,
    );
  }

  /** Removes rows without marks. */
  deleteRows(rows: readonly { readonly row: number }[]): void {
    for (const { row } of rows) this.#database.run(`DELETE FROM ${this.#table} WHERE row = ?`, row);
  }

  #ranges(filter: Filter): readonly Range[] {
    const streams = this.streams.matching(filter);
    const marks = wantedMarks(filter);
    const ranges = captureRanges(streams, marks);
    const rows: readonly Range[] = ranges === 'everything' ? [{ organizationId: filter.organizationId }] : ranges;
    // what bears a mark is in no sheet
    if (this.sheets === null || marks.anyOf !== null) return rows;
    return [...rows, ...streams.matching.map((stream) => ({ sheetsOf: stream }))];
  }

  #readItems(
    range: Range,
    { interval }: Filter,
    order: Order,
    beyond: Position | null,
    limit: number,
  ): readonly (StoredCapture | SheetItem)[] {
    const bounds = boundsBeyond(interval, order, beyond);
    if (bounds === null) return [];
    if ('sheetsOf' in range) return this.sheets!.read(range.sheetsOf, bounds, order, limit);
    const columns = `time, id, stream, ${this.#collection.entryColumns}`;
    return this.#readBetween(columns, range, order, bounds, limit).map(
      ([time, id, stream, entry, payload]) => ({ time, id, stream, entry, payload }) as StoredCapture,
    );
  }

  /** Count and bytes off the index alone, in steps; null where the filter says more than one range each can answer. */
  *summarizeByIndex(filter: Filter): Generator<void, Summary | null> {
    const { anyOf, exact } = wantedMarks(filter);
    const isOneRange = exact && (anyOf === null || anyOf.length === 1);
    if (!isOneRange || ('additionalParameters' in filter && filter.additionalParameters !== null)) return null;
    const bounds = boundsBeyond(filter.interval, 'ascending', null);
    const total = { count: 0, totalSizeBytes: 0 };
    const add = ({ count, totalSizeBytes }: Summary): void => {
      total.count += count;
      total.totalSizeBytes += totalSizeBytes;
    };
    for (const stream of bounds === null ? [] : this.streams.matching(filter).matching) {
      const range = { stream, mark: anyOf?.[0] ?? null };
      for (let rest: OpenBounds | null = bounds; rest !== null;) {
        const { counted, left }: CountedPart = this.#countSome(range, rest);
        add(counted);
        rest = left;
        yield;
      }
      if (anyOf === null && this.sheets !== null) add(this.sheets.summarize(stream, bounds!));
    }
    return total;
  }

  /** How many rows of a stream there are within the bounds. */
  countOf(stream: number, { lower, upper }: OpenBounds): number {
    const { count } = this.#database.get(
      `SELECT count(*) AS count FROM ${this.#table} WHERE stream = ? AND ${between}`,
      stream,
      lower.time,
      lower.id,
      upper.time,
      upper.id,
    ) as { count: number };
    return count;
  }

  /** Counts the first captures of a range. */
  #countSome(range: CaptureRange, { lower, upper }: OpenBounds): CountedPart {
    const { source, values } = this.#source(range);
    const inBounds = `${source.index} WHERE ${source.condition} AND ${between}`;
    const [last] = this.#database.allArrays(
      `SELECT time, id FROM ${inBounds} ORDER BY time, id LIMIT 1 OFFSET ?`,
      ...values,
      lower.time,
      lower.id,
      upper.time,
      upper.id,
      countedAtOnce - 1,
    ) as [number, string][];
    // beyond the last one comes the very next text
    const end = last === undefined ? upper : { time: last[0], id: `${last[1]}\0` };
    const { count, bytes } = this.#database.get(
      `SELECT count(*) AS count, total(size) AS bytes FROM ${inBounds}`,
      ...values,
      lower.time,
      lower.id,
      end.time,
      end.id,
    ) as { count: number; bytes: number };
    const left = last === undefined ? null : { lower: { time: last[0], id: last[1] }, upper };
    return { counted: { count, totalSizeBytes: bytes }, left };
  }

  /** The marks of a kind that the filter's captures bear, by leaps over the index; null where that cannot tell. */
  *marksByIndex(filter: Filter, kind: { from: string; to: string }): Generator<void, ReadonlySet<string> | null> {
    if (wantedMarks(filter).anyOf !== null) return null;
    const sql = `SELECT min(mark) AS mark FROM ${this.#table}_marks WHERE stream = ? AND mark >= ? AND mark < ?`;
    const marks = new Set<string>();
    for (const stream of this.streams.matching(filter).matching) {
      for (let from = kind.from; ;) {
        const { mark } = this.#database.get(sql, stream, from, kind.to) as { mark: string | null };
        if (mark === null) break;
        if (this.#readItems({ stream, mark }, filter, 'ascending', null, 1).length > 0) marks.add(mark);
        from = `${mark}\0`; // the very next text
      }
      yield;
    }
    return marks;
  }

  bears(organizationId: string, mark: string): boolean {
    const sql = `SELECT 1 FROM ${this.#table}_marks WHERE stream = ? AND mark = ? LIMIT 1`;
    return this.streams.ofOrganization(organizationId).some((stream) => this.#database.get(sql, stream, mark));
  }

  #readBetween(
    columns: string,
    range: Exclude<Range, { readonly sheetsOf: number }>,
    order: Order,
    bounds: OpenBounds,
    limit: number,
  ): unknown[][] {
    const { source, values } = this.#source(range);
    const direction = order === 'ascending' ? 'ASC' : 'DESC';
    return this.#database.allArrays(
      `SELECT ${columns} FROM ${source.rows} WHERE ${source.condition} AND ${between}
       ORDER BY time ${direction}, id ${direction} LIMIT ?`,
      ...values,
      bounds.lower.time,
      bounds.lower.id,
      bounds.upper.time,
      bounds.upper.id,
      limit,
    );
  }

  #source(range: Exclude<Range, { readonly sheetsOf: number }>) {
    const table = this.#table;
    if ('organizationId' in range) {
      return {
        source: { rows: table, index: table, condition: 'organization_id = ?' },
        values: [range.organizationId],
      };
    }
    const { stream, mark } = range;
    if (mark === null) return { source: { rows: table, index: table, condition: 'stream = ?' }, values: [stream] };
    const index = `${table}_marks`;
    const rows = `(SELECT mark, bearer.time, bearer.id, bearer.stream, ${this.#collection.entryColumns} FROM ${index} AS bearer JOIN ${table} USING (row))`;
    return { source: { rows, index, condition: 'stream = ? AND mark = ?' }, values: [stream, mark] };
  }

  #insertMarks(capture: Capture, stream: number, row: number): void {
    for (const mark of marksOf(capture)) {
      this.#database.run(
        `INSERT INTO ${this.#table}_marks (stream, mark, time, id, row, size) VALUES (?, ?, ?, ?, ?, ?)`,
        stream,
        mark,
        capture.timeRequested,
        capture.id,
        row,
        capture.sizeBytes,
      );
    }
  }

  #deleteMarks(capture: Capture): void {
    const stream = this.streams.idOf(splitCapture(capture).stream);
    for (const mark of marksOf(capture)) {
      this.#database.run(
        `DELETE FROM ${this.#table}_marks WHERE stream = ? AND mark = ? AND time = ? AND id = ?`,
        stream,
        mark,
        capture.timeRequested,
        capture.id,
      );
    }
  }

  matching(filter: Filter, items: readonly (StoredCapture | SheetItem)[]): Capture[] {
    return items.map((item) => this.join(item)).filter((capture) => this.#collection.matches(filter, capture));
  }

  join(item: Pick<StoredCapture, 'stream' | 'entry' | 'payload'> | SheetItem): Capture {
    const stream = this.streams.byId(item.stream);
    if ('sheet' in item) return this.#collection.join(stream, item.sheet.entry(item.at) as never);
    const { entry, payload } = item;
    const kept = readEntry<StreamEntry<Capture>>(entry);
    const whole = typeof payload === 'string' ? { ...kept, payload: JSON.parse(payload) as StructObject } : kept;
    return this.#collection.join(stream, whole as never);
  }
}

interface CountedPart {
  readonly counted: Summary;
  /** within which bounds the others are; null where there are none */
  readonly left: OpenBounds | null;
}

/** The host waits for each step: some milliseconds. */
const countedAtOnce = 50_000;

const between = '(time, id) > (?, ?) AND (time, id) < (?, ?)';
