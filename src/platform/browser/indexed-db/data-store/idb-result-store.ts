import type { BinaryFilter, BinaryRecord } from '../../../../data-service/face/captures.ts';
import { recordedFrames, type ResultStore } from '../../../../data-service/face/stores.ts';
import { timesOf } from '../../../data-store/result-sheets.ts';
import {
  readQuarter,
  scanResults,
  type ResultReader,
  type ResultSource,
  type ResultStreams,
} from '../../../data-store/scan-results.ts';
import { isRecorded, placesOf, quartersOf, SheetsDue, type FramePlace } from '../../../data-store/sheets-due.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { IdbStreams } from './idb-streams.ts';
import type { DataSchema, ReadTransaction, WriteTransaction } from './schema.ts';

const stores = ['binary', 'streams', 'resultSheets'] as const;
const rowsAtOnce = 1000;

/** Sheets of results, and what reads them. */
export class IdbResults {
  readonly #database: IdbDatabase;
  readonly #captures: IdbCaptures<BinaryRecord, BinaryFilter>;
  readonly #streams: IdbStreams;
  readonly #enough: number;
  readonly #due: SheetsDue;

  /** @param enough frames of a stream's quarter of an hour for a sheet */
  constructor(
    database: IdbDatabase,
    captures: IdbCaptures<BinaryRecord, BinaryFilter>,
    streams: IdbStreams,
    enough: number,
  ) {
    this.#database = database;
    this.#captures = captures;
    this.#streams = streams;
    this.#enough = enough;
    this.#due = new SheetsDue(enough, (place) => this.#source.makeSheets(place, place.quarter));
  }

  store(): ResultStore {
    return {
      origins: (organizationId) =>
        this.#database.read(['streams'], async (transaction) => {
          await this.#streams.readNew(transaction);
          return this.#streams
            .ofOrganization('binary', organizationId)
            .map((id) => this.#streams.byId(id))
            .filter((stream) => isRecorded(stream) && !stream.internal);
        }),
      scan: (filter, kind, signal) => scanResults(this.#source, filter, kind, signal, this.#enough),
    };
  }

  /**
   * Takes back the sheets that frames fall into, within the write that adds, changes or deletes them, which holds `resultSheets`;
   * resolves to where they are.
   */
  async forget(transaction: WriteTransaction, records: readonly BinaryRecord[]): Promise<readonly FramePlace[]> {
    const recorded = records.filter(isRecorded);
    if (recorded.length === 0) return [];
    const streams = await this.#captures.streamsOf(transaction, recorded);
    const places = placesOf(recorded.map((capture, index) => ({ stream: streams[index]!, capture })));
    const sheets = transaction.objectStore('resultSheets');
    await Promise.all(quartersOf(places).map(({ stream, quarter }) => sheets.delete([stream, quarter])));
    return places;
  }

  /** Tells that frames were added. */
  added(places: readonly FramePlace[]): void {
    this.#due.added(places);
  }

  close(): Promise<void> {
    return this.#due.close();
  }

  readonly #source: ResultSource = {
    read: (of, work) => this.#database.read(stores, async (transaction) => work(await this.#readerOf(transaction, of))),
    // a sheet is made in one write, while no other can touch its frames
    makeSheets: (of, quarter) =>
      this.#database.write(stores, async (transaction) =>
        readQuarter(await this.#readerOf(transaction, of), quarter, async (stream, sheet, frameCount) => {
          if (frameCount >= this.#enough) await transaction.objectStore('resultSheets').put(sheet, [stream, quarter]);
        }),
      ),
    close: async () => {},
  };

  async #readerOf(transaction: ReadTransaction | WriteTransaction, of: ResultStreams): Promise<ResultReader> {
    const reading = transaction as ReadTransaction;
    const byStream = reading.objectStore('binary').index('stream');
    await this.#streams.readNew(transaction);
    const streams = 'stream' in of ? [of.stream] : this.#streams.matching('binary', recordedFrames(of)).matching;
    return {
      streams,
      async firstTime(from, to) {
        const keys = await Promise.all(
          streams.map((stream) => byStream.openKeyCursor(IDBKeyRange.bound([stream, from], [stream, to], false, true))),
        );
        const times = keys.flatMap((cursor) => (cursor === null ? [] : [cursor.key[1]]));
        return times.length === 0 ? null : Math.min(...times);
      },
      sheet: async (stream, quarter) => (await reading.objectStore('resultSheets').get([stream, quarter])) ?? null,
      async frames(stream, quarter, limit) {
        const { start, end } = timesOf(quarter);
        const found: Row[] = [];
        for (let range = IDBKeyRange.bound([stream, start], [stream, end], false, true); found.length < limit;) {
          const wanted = Math.min(rowsAtOnce, limit - found.length);
          const rows = await byStream.getAll(range, wanted);
          found.push(...rows);
          if (rows.length < wanted) break;
          const { time, id } = rows.at(-1)!;
          range = IDBKeyRange.bound([stream, time, id], range.upper, true, true);
        }
        return found.map(({ time, entry }) => ({ ...entry, timeRequested: time }));
      },
    };
  }
}

type Row = DataSchema['binary']['value'];
