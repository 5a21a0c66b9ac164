import type { SQLInputValue } from 'node:sqlite';
import type { Arrival, Order, Position, Summary, TabularRow } from '../../../data-service/face/captures.ts';
import { comparePositions, type OpenBounds } from '../../data-store/capture-ranges.ts';
import type { StreamEntry } from '../../data-store/capture-stream.ts';
import { encodeSheet, ReadingSheet } from '../reading-sheet/reading-sheet.ts';
import { SheetLane, type PlacedSheet, type SheetLookup } from './sheet-lane.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

type Entry = StreamEntry<TabularRow>;

/** A reading in its sheet. */
export interface SheetItem extends Position {
  readonly stream: number;
  readonly sheet: ReadingSheet;
  readonly at: number;
}

/** Kept decoded: a page that ends within a sheet is followed by the next one. */
const mostOpen = 8;

/** The host waits for them. */
const removedAtOnce = 8;

const placeColumns = 'row, first_time, first_id, last_time, last_id, count';

/** The sheets of readings, stream by stream. Its methods run within a transaction of `database`. */
export class SqliteSheets implements SheetLookup {
  readonly #database: SqliteDatabase;
  readonly #open = new Map<number, ReadingSheet>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  forget(): void {
    this.#open.clear();
  }

  /** @param entries at least one, in order, none within another sheet of the stream */
  add(stream: number, entries: readonly Entry[]): void {
    const [first, last] = [entries[0]!, entries.at(-1)!];
    const synced = entries.map(({ timeSynced }) => timeSynced);
    this.#database.run(
      `INSERT INTO reading_sheets
       (stream, first_time, first_id, last_time, last_id, first_synced, last_synced, count, size, columns)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      stream,
      first.timeRequested,
      first.id,
      last.timeRequested,
      last.id,
      synced.reduce((least, time) => Math.min(least, time)),
      synced.reduce((most, time) => Math.max(most, time)),
      entries.length,
      entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      encodeSheet(entries),
    );
  }

  /** Removes a sheet and returns what it held. */
  takeOut({ row }: PlacedSheet): Entry[] {
    const sheet = this.open(row);
    this.#database.run('DELETE FROM reading_sheets WHERE row = ?', row);
    this.#open.delete(row);
    return Array.from({ length: sheet.count }, (_, at) => sheet.entry(at));
  }

  open(row: number): ReadingSheet {
    let sheet = this.#open.get(row);
    if (sheet === undefined) {
      const [found] = this.#database.allArrays('SELECT columns FROM reading_sheets WHERE row = ?', row);
      sheet = new ReadingSheet(found![0] as Uint8Array);
    }
    this.#open.delete(row);
    this.#open.set(row, sheet);
    if (this.#open.size > mostOpen) this.#open.delete(this.#open.keys().next().value!);
    return sheet;
  }

  endingFrom(stream: number, { time, id }: Position): PlacedSheet | null {
    return this.#placed('(last_time, last_id) >= (?, ?) ORDER BY last_time, last_id', stream, time, id);
  }

  endingBeyond(stream: number, { time, id }: Position): PlacedSheet | null {
    return this.#placed('(last_time, last_id) > (?, ?) ORDER BY last_time, last_id', stream, time, id);
  }

  endingBefore(stream: number, { time, id }: Position): PlacedSheet | null {
    return this.#placed('(last_time, last_id) < (?, ?) ORDER BY last_time DESC, last_id DESC', stream, time, id);
  }

  /** Any sheet of a stream. */
  any(stream: number): PlacedSheet | null {
    return this.#placed('true', stream);
  }

  /** Up to `limit` readings of a stream within the bounds, in order; fewer where there are no more. */
  read(stream: number, bounds: OpenBounds, order: Order, limit: number): SheetItem[] {
    const items: SheetItem[] = [];
    const lane = new SheetLane(this, stream, bounds, order);
    for (let placed = lane.next(); placed !== null && items.length < limit; placed = lane.next()) {
      const sheet = this.open(placed.row);
      const count = Math.min(placed.to - placed.from, limit - items.length);
      for (let n = 0; n < count; n++) {
        const at = order === 'ascending' ? placed.from + n : placed.to - 1 - n;
        items.push({ time: sheet.times[at]!, id: sheet.id(at), stream, sheet, at });
      }
    }
    return items;
  }

  /** Counts whole sheets by what is written beside them. */
  summarize(stream: number, bounds: OpenBounds): Summary {
    const { lower, upper } = bounds;
    const inside = `(first_time, first_id) > (?, ?) AND (last_time, last_id) < (?, ?)`;
    const ends = [lower.time, lower.id, upper.time, upper.id];
    const { count, bytes } = this.#database.get(
      `SELECT total(count) AS count, total(size) AS bytes FROM reading_sheets WHERE stream = ? AND ${inside}`,
      stream,
      ...ends,
    ) as { count: number; bytes: number };
    const total = { count, totalSizeBytes: bytes };
    const crossing = this.#database.all(
      `SELECT ${placeColumns} FROM reading_sheets
       WHERE stream = ? AND (last_time, last_id) > (?, ?) AND (first_time, first_id) < (?, ?) AND NOT (${inside})`,
      stream,
      ...ends,
      ...ends,
    );
    for (const row of crossing) {
      const sheet = this.open(row['row'] as number);
      for (let at = 0; at < sheet.count; at++) {
        const place = { time: sheet.times[at]!, id: sheet.id(at) };
        if (comparePositions(place, lower) <= 0 || comparePositions(place, upper) >= 0) continue;
        total.count++;
        total.totalSizeBytes += sheet.sizeBytes(at);
      }
    }
    return total;
  }

  /**
   * Removes sheets that lie within the bounds as a whole, and were synced by then, of `limit` readings at most; returns what they held.
   */
  removeInside(stream: number, { lower, upper }: OpenBounds, limit: number, syncedUntil: number): Summary {
    const inside = this.#database.allArrays(
      `SELECT row, count, size FROM reading_sheets
       WHERE stream = ? AND (first_time, first_id) > (?, ?) AND (last_time, last_id) > (?, ?) AND (last_time, last_id) < (?, ?)
         AND last_synced <= ?
       ORDER BY last_time, last_id LIMIT ?`,
      stream,
      lower.time,
      lower.id,
      lower.time,
      lower.id,
      upper.time,
      upper.id,
      syncedUntil,
      removedAtOnce,
    ) as [number, number, number][];
    const removed = { count: 0, totalSizeBytes: 0 };
    for (const [row, count, size] of inside) {
      if (removed.count + count > limit) break;
      this.#database.run('DELETE FROM reading_sheets WHERE row = ?', row);
      this.#open.delete(row);
      removed.count += count;
      removed.totalSizeBytes += size;
    }
    return removed;
  }

  /** Makes sheets of at most `count` readings of one. */
  split(stream: number, placed: PlacedSheet, count: number): void {
    const entries = this.takeOut(placed);
    for (let from = 0; from < entries.length; from += count) this.add(stream, entries.slice(from, from + count));
  }

  /** Removes those readings of a stream that are in sheets. */
  remove(stream: number, places: readonly Position[]): void {
    const sorted = [...places].sort(comparePositions);
    for (let index = 0; index < sorted.length;) {
      const placed = this.endingFrom(stream, sorted[index]!);
      if (placed === null) return;
      const gone = new Set<string>();
      for (; index < sorted.length && comparePositions(sorted[index]!, placed.last) <= 0; index++)
        gone.add(sorted[index]!.id);
      const left = this.takeOut(placed).filter(({ id }) => !gone.has(id));
      if (left.length > 0) this.add(stream, left);
    }
  }

  /** Up to `limit` arrivals of these streams beyond a place, in order. */
  arrivals(streams: readonly number[], after: { timeSynced: number; id: string }, limit: number): Arrival[] {
    const found: Arrival[] = [];
    const sql = `SELECT row, first_synced FROM reading_sheets WHERE stream = ? AND last_synced >= ?`;
    const sheets = streams
      .flatMap((stream) => this.#database.allArrays(sql, stream, after.timeSynced) as [number, number][])
      .sort(([, first], [, other]) => first - other);
    for (const [row, firstSynced] of sheets) {
      const farthest = found.length < limit ? Infinity : found[limit - 1]!.timeSynced;
      if (firstSynced > farthest) break;
      const sheet = this.open(row);
      for (let at = 0; at < sheet.count; at++) {
        const arrival = { id: sheet.id(at), timeRequested: sheet.times[at]!, timeSynced: sheet.timeSynced(at) };
        if (arrivedBefore(after, arrival)) found.push(arrival);
      }
      found.sort((a, b) => (arrivedBefore(a, b) ? -1 : 1));
      found.splice(limit);
    }
    return found;
  }

  #placed(condition: string, ...values: readonly SQLInputValue[]): PlacedSheet | null {
    const sql = `SELECT ${placeColumns} FROM reading_sheets WHERE stream = ? AND ${condition} LIMIT 1`;
    const [found] = this.#database.allArrays(sql, ...values) as [number, number, string, number, string, number][];
    if (found === undefined) return null;
    const [row, firstTime, firstId, lastTime, lastId, count] = found;
    return { row, first: { time: firstTime, id: firstId }, last: { time: lastTime, id: lastId }, count };
  }
}

type Arrived = Pick<Arrival, 'timeSynced' | 'id'>;

export const arrivedBefore = (a: Arrived, b: Arrived): boolean =>
  a.timeSynced < b.timeSynced || (a.timeSynced === b.timeSynced && a.id < b.id);
