import { type Position, positionOf, type TabularFilter, type TabularRow } from '../../../data-service/face/captures.ts';
import { comparePositions, type OpenBounds } from '../../data-store/capture-ranges.ts';
import { splitCapture, type StreamEntry } from '../../data-store/capture-stream.ts';
import type { SqliteCaptures } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { SqliteFieldIndexes } from './sqlite-field-indexes.ts';
import type { PlacedSheet } from './sheet-lane.ts';
import type { SqliteSheets } from './sqlite-sheets.ts';

type Entry = StreamEntry<TabularRow>;

/** A reading may be of 4 MB. */
const sheetBytes = 4 * 1024 * 1024;
/** Share of a sheet's readings that must fall into it anew before it is written again; else many late ones would cost a lot. */
const worthRewriting = 1 / 4;

const endOfTime: Position = { time: Infinity, id: '' };
const beginning: Position = { time: -Infinity, id: '' };

/**
 * Packs readings into sheets: those of a large upload at once, others when enough of a stream wait in rows of their own.
 * Readings of organizations that have indexes on fields stay rows, to which those indexes lead; so do readings with tags.
 */
export class ReadingPacking {
  readonly #database: SqliteDatabase;
  readonly #captures: SqliteCaptures<TabularRow, TabularFilter>;
  readonly #indexes: SqliteFieldIndexes;
  readonly #sheets: SqliteSheets;
  readonly #sheetRows: number;
  readonly #waiting = new Map<number, number>();
  readonly #packing = new Map<number, Promise<void>>();
  #isClosed = false;

  /** @param sheetRows of one sheet, about */
  constructor(
    database: SqliteDatabase,
    captures: SqliteCaptures<TabularRow, TabularFilter>,
    indexes: SqliteFieldIndexes,
    sheetRows: number,
  ) {
    this.#database = database;
    this.#captures = captures;
    this.#indexes = indexes;
    this.#sheets = captures.sheets!;
    this.#sheetRows = sheetRows;
  }

  /** Within the write that inserts them: packs rows that fill a sheet between others, and returns the rest. */
  packAtOnce(rows: readonly TabularRow[]): readonly TabularRow[] {
    if (rows.length * 2 < this.#sheetRows) return rows;
    const left: TabularRow[] = [];
    for (const [stream, own] of this.#captures.byStream(rows)) {
      const sorted = own.toSorted((a, b) => comparePositions(positionOf(a), positionOf(b)));
      if (own.length * 2 < this.#sheetRows || !this.#isPacked(stream) || !this.#isBetweenSheets(stream, sorted))
        left.push(...own);
      else this.#add(stream, sorted.map(entryOf));
    }
    return left;
  }

  /** Tells of rows that were inserted, by their stream: enough of one are packed soon. */
  added(rows: ReadonlyMap<number, readonly TabularRow[]>): void {
    for (const [stream, own] of rows) this.#wait(stream, own.length);
  }

  /** Packs what waits from before: of a former version, or of a host that ended. */
  async begin(): Promise<void> {
    const counts = await this.#database.read(() =>
      this.#database.all('SELECT stream, count(*) AS count FROM tabular_captures GROUP BY stream'),
    );
    for (const { stream, count } of counts) this.#wait(stream as number, count as number);
  }

  /** Ends the packing under way; every step of it is whole. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#packing.values());
  }

  #wait(stream: number, count: number): void {
    const waiting = (this.#waiting.get(stream) ?? 0) + count;
    this.#waiting.set(stream, waiting);
    if (waiting < this.#sheetRows || this.#packing.has(stream)) return;
    this.#waiting.delete(stream);
    const done = (): void => void this.#packing.delete(stream);
    // where it fails, rows go on being read one by one, and the next ones try again
    this.#packing.set(stream, this.#packAll(stream).then(done, done));
  }

  async #packAll(stream: number): Promise<void> {
    for (let from: Position | null = beginning; from !== null && !this.#isClosed;) {
      const beyond: Position = from;
      from = await this.#database.write(() => this.#packNext(stream, beyond));
    }
  }

  /** Packs the next rows beyond a place, and returns how far it came; null at the end. */
  #packNext(stream: number, lower: Position): Position | null {
    if (!this.#isPacked(stream)) return null;
    const rows = this.#captures.rowsOf(stream, { lower, upper: endOfTime }, this.#sheetRows);
    if (rows.length === 0) return null;
    const sheet = this.#sheets.endingFrom(stream, rows[0]!);
    if (sheet !== null && comparePositions(sheet.first, rows[0]!) <= 0) return this.#packInto(stream, sheet, lower);
    const gap = sheet === null ? rows : rows.filter((row) => comparePositions(row, sheet.first) < 0);
    const enough = sheet === null ? this.#sheetRows : this.#sheetRows * worthRewriting;
    if (gap.length >= enough) this.#move(stream, gap, []);
    return sheet === null && gap.length < enough ? null : gap.at(-1)!;
  }

  /** Writes a sheet again with the rows that fall into it, where they are many. */
  #packInto(stream: number, sheet: PlacedSheet, lower: Position): Position {
    const within: OpenBounds = { lower, upper: { time: sheet.last.time, id: sheet.last.id } };
    const most = 4 * this.#sheetRows;
    const rows = this.#captures.rowsOf(stream, within, most);
    if (rows.length >= sheet.count * worthRewriting) this.#move(stream, rows, this.#sheets.takeOut(sheet));
    return rows.length < most ? sheet.last : rows.at(-1)!;
  }

  #move(stream: number, rows: ReturnType<SqliteCaptures<TabularRow, TabularFilter>['rowsOf']>, others: Entry[]): void {
    const entries = [...rows.map((row) => entryOf(this.#captures.join(row))), ...others];
    this.#captures.deleteRows(rows);
    this.#add(
      stream,
      entries.sort((a, b) => comparePositions(positionOf(a), positionOf(b))),
    );
  }

  #add(stream: number, entries: readonly Entry[]): void {
    for (let from = 0; from < entries.length;) {
      let to = from;
      for (let bytes = 0; to < entries.length && to - from < this.#sheetRows && bytes < sheetBytes; to++)
        bytes += entries[to]!.sizeBytes;
      this.#sheets.add(stream, entries.slice(from, to));
      from = to;
    }
  }

  #isPacked(stream: number): boolean {
    const { isTagged, organizationId } = this.#captures.streams.byId(stream);
    return !isTagged && !this.#indexes.isUsedBy(organizationId);
  }

  #isBetweenSheets(stream: number, rows: readonly TabularRow[]): boolean {
    const next = this.#sheets.endingFrom(stream, positionOf(rows[0]!));
    return next === null || comparePositions(next.first, positionOf(rows.at(-1)!)) > 0;
  }
}

const entryOf = (row: TabularRow): Entry => splitCapture(row).entry;
