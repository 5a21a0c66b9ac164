import { serialize } from 'node:v8';
import { setImmediate } from 'node:timers/promises';
import type { BinaryFilter, BinaryRecord, Micros, Position } from '../../../data-service/face/captures.ts';
import { recordedFrames, type ResultStore } from '../../../data-service/face/stores.ts';
import { timesOf, type ResultFrame, type ResultSheet } from '../../data-store/result-sheets.ts';
import {
  readQuarter,
  scanResults,
  type ResultReader,
  type ResultSource,
  type ResultStreams,
} from '../../data-store/scan-results.ts';
import { isRecorded, placesOf, quartersOf, SheetsDue, type FramePlace } from '../../data-store/sheets-due.ts';
import { binaryCaptures } from './binary-captures.ts';
import { readEntry } from './entry-table.ts';
import { SqliteCaptures } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

type Captures = SqliteCaptures<BinaryRecord, BinaryFilter>;

/** A connection of its own, and what it knows of captures. */
interface Reading {
  readonly database: SqliteDatabase;
  readonly captures: Captures;
}

/** The host waits for each: some milliseconds. */
const rowsAtOnce = 500;

/** Sheets of results, and what reads them. */
export class SqliteResults {
  readonly #database: SqliteDatabase;
  readonly #captures: Captures;
  readonly #enough: number;
  readonly #due: SheetsDue;

  /** @param enough frames of a stream's quarter of an hour for a sheet */
  constructor(database: SqliteDatabase, captures: Captures, enough: number) {
    this.#database = database;
    this.#captures = captures;
    this.#enough = enough;
    this.#due = new SheetsDue(enough, async (place) => {
      const source = this.#source();
      try {
        await source.makeSheets(place, place.quarter);
      } finally {
        await source.close();
      }
    });
  }

  store(): ResultStore {
    return {
      origins: (organizationId) =>
        this.#database.read(() => {
          const { streams } = this.#captures;
          return streams
            .ofOrganization(organizationId)
            .map((id) => streams.byId(id))
            .filter((stream) => isRecorded(stream) && !stream.internal);
        }),
      scan: (filter, kind, signal) => scanResults(this.#source(), filter, kind, signal, this.#enough),
    };
  }

  /**
   * Takes back the sheets that frames fall into, within the write that adds, changes or deletes them; returns where they are.
   */
  forget(records: readonly BinaryRecord[]): readonly FramePlace[] {
    const byStream = this.#captures.byStream(records.filter(isRecorded));
    const stored = [...byStream].flatMap(([stream, own]) => own.map((capture) => ({ stream, capture })));
    const places = placesOf(stored);
    const sql = 'DELETE FROM result_sheets WHERE stream = ? AND quarter = ?';
    for (const { stream, quarter } of quartersOf(places)) this.#database.run(sql, stream, quarter);
    return places;
  }

  /** Tells that frames were added. */
  added(places: readonly FramePlace[]): void {
    this.#due.added(places);
  }

  close(): Promise<void> {
    return this.#due.close();
  }

  /** What a scan reads by, on a connection of its own: what it awaits in one state is not in the way of others. */
  #source(): ResultSource {
    let opened: Promise<Reading> | null = null;
    const reading = (): Promise<Reading> => (opened ??= this.#openReading());
    return {
      read: async (of, work) => readIn(await reading(), of, work),
      makeSheets: async (of, quarter) => this.#makeSheets(await reading(), of, quarter),
      close: async () => (await opened)?.database.close(),
    };
  }

  async #openReading(): Promise<Reading> {
    const database = await this.#database.openReader();
    return { database, captures: new SqliteCaptures(database, binaryCaptures) };
  }

  /**
   * Rows are read beside everything else, after a row without columns says that they are: it is still there when the sheet is
   * kept only if no frame was written since.
   */
  async #makeSheets(reading: Reading, of: ResultStreams, quarter: number): Promise<readonly ResultSheet[]> {
    const claims = await this.#database.write(() => {
      const claimed = new Map<number, number>();
      for (const stream of streamsOf(this.#captures, of)) {
        this.#database.run('INSERT OR IGNORE INTO result_sheets (stream, quarter) VALUES (?, ?)', stream, quarter);
        const sql = 'SELECT row FROM result_sheets WHERE stream = ? AND quarter = ?';
        claimed.set(stream, this.#database.get(sql, stream, quarter)!['row'] as number);
      }
      return claimed;
    });
    const made: { readonly row: number; readonly columns: Uint8Array }[] = [];
    const sheets = await readIn(reading, of, (reader) =>
      readQuarter(reader, quarter, async (stream, sheet, frameCount) => {
        const row = claims.get(stream);
        if (row !== undefined && frameCount >= this.#enough) made.push({ row, columns: serialize(sheet) });
      }),
    );
    await this.#database.write(() => {
      const sql = 'UPDATE result_sheets SET columns = ? WHERE row = ?';
      for (const { row, columns } of made) this.#database.run(sql, columns, row);
      for (const row of claims.values()) {
        this.#database.run('DELETE FROM result_sheets WHERE row = ? AND columns IS NULL', row);
      }
    });
    return sheets;
  }
}

function streamsOf({ streams }: Captures, of: ResultStreams): readonly number[] {
  return 'stream' in of ? [of.stream] : streams.matching(recordedFrames(of)).matching;
}

const readIn = <T>(reading: Reading, of: ResultStreams, work: (reader: ResultReader) => Promise<T>): Promise<T> =>
  reading.database.readOver(() => work(readerOf(reading, of)));

function readerOf({ database, captures }: Reading, of: ResultStreams): ResultReader {
  const streams = streamsOf(captures, of);
  return {
    streams,
    async firstTime(from, to) {
      const sql = 'SELECT min(time) AS time FROM binary_captures WHERE stream = ? AND time >= ? AND time < ?';
      const times = streams.map((stream) => database.get(sql, stream, from, to)!['time'] as Micros | null);
      const found = times.filter((time) => time !== null);
      return found.length === 0 ? null : Math.min(...found);
    },
    async sheet(stream, quarter) {
      const sql = 'SELECT columns FROM result_sheets WHERE stream = ? AND quarter = ? AND columns IS NOT NULL';
      const found = database.get(sql, stream, quarter);
      return found === undefined ? null : readEntry<ResultSheet>(found['columns']);
    },
    async frames(stream, quarter, limit) {
      const { start, end } = timesOf(quarter);
      const frames: ResultFrame[] = [];
      for (let beyond: Position = { time: start, id: '' }; frames.length < limit;) {
        const wanted = Math.min(rowsAtOnce, limit - frames.length);
        const rows = captures.rowsOf(stream, { lower: beyond, upper: { time: end, id: '' } }, wanted);
        for (const { time, entry } of rows) {
          const { boundingBoxes, classifications } = readEntry<ResultFrame>(entry);
          frames.push({ timeRequested: time, boundingBoxes, classifications });
        }
        if (rows.length < wanted) break;
        beyond = rows.at(-1)!;
        await setImmediate();
      }
      return frames;
    },
  };
}
