import { deserialize, serialize } from 'node:v8';
import { recordedFrames, type ResultStore } from '../../../data-service/face/stores.ts';
import type { BinaryRecord, Micros } from '../../../data-service/face/captures.ts';
import { timesOf, type ResultFrame, type ResultSheet } from '../../data-store/result-sheets.ts';
import {
  readQuarter,
  scanResults,
  type ResultReader,
  type ResultSource,
  type ResultStreams,
} from '../../data-store/scan-results.ts';
import { isRecorded, placesOf, quartersOf, SheetsDue, type FramePlace } from '../../data-store/sheets-due.ts';
import { advisoryLock, sharedAdvisoryLock } from './advisory-lock.ts';
import type { BinaryCaptures } from './postgres-binary-captures.ts';
import type { StoredCapture } from './postgres-captures.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';

/** Sheets of results, and what reads them. */
export class PostgresResults {
  readonly #database: PostgresDatabase;
  readonly #captures: BinaryCaptures;
  readonly #enough: number;
  readonly #due: SheetsDue;

  /** @param enough frames of a stream's quarter of an hour for a sheet */
  constructor(database: PostgresDatabase, captures: BinaryCaptures, enough: number) {
    this.#database = database;
    this.#captures = captures;
    this.#enough = enough;
    this.#due = new SheetsDue(enough, (place) => this.#source.makeSheets(place, place.quarter));
  }

  store(): ResultStore {
    return {
      origins: (organizationId) =>
        this.#database.read(async (statements) => {
          const streams = await this.#captures.streams.ofOrganization(statements, organizationId);
          return [...streams.values()].filter((stream) => isRecorded(stream) && !stream.internal);
        }),
      scan: (filter, kind, signal) => scanResults(this.#source, filter, kind, signal, this.#enough),
    };
  }

  /**
   * Takes back the sheets that frames fall into, within the write that adds, changes or deletes them; resolves to where they are.
   * Sheets of these quarters are made before it or after its end: not from what it has not committed yet.
   */
  async forget(statements: Statements, stored: readonly StoredCapture<BinaryRecord>[]): Promise<readonly FramePlace[]> {
    const places = placesOf(stored);
    const quarters = quartersOf(places);
    if (quarters.length === 0) return [];
    for (const name of quarters.map(lockOf).toSorted()) await sharedAdvisoryLock(statements, name);
    await statements.run(
      `DELETE FROM result_sheets AS held USING unnest($1::text[], $2::bigint[], $3::bigint[]) AS gone (organization_id, stream, quarter)
       WHERE held.organization_id = gone.organization_id AND held.stream = gone.stream AND held.quarter = gone.quarter`,
      quarters.map(({ organizationId }) => organizationId),
      quarters.map(({ stream }) => stream),
      quarters.map(({ quarter }) => quarter),
    );
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
    read: (of, work) =>
      this.#database.read(async (statements) => work(readerOf(statements, of, await this.#streamsOf(statements, of)))),
    makeSheets: (of, quarter) =>
      this.#database.write(async (statements) => {
        const { organizationId } = of;
        const locked = new Set<number>();
        // once more: a write that was waited for may have moved frames to a stream that nobody could see before
        for (let streams = await this.#streamsOf(statements, of); streams.some((stream) => !locked.has(stream));) {
          const free = streams.filter((stream) => !locked.has(stream));
          for (const name of free.map((stream) => lockOf({ organizationId, stream, quarter })).toSorted()) {
            await advisoryLock(statements, name);
          }
          for (const stream of free) locked.add(stream);
          streams = await this.#streamsOf(statements, of);
        }
        return readQuarter(readerOf(statements, of, [...locked]), quarter, async (stream, sheet, frameCount) => {
          if (frameCount < this.#enough) return;
          const sql = 'INSERT INTO result_sheets (organization_id, stream, quarter, columns) VALUES ($1, $2, $3, $4)';
          await statements.run(sql, organizationId, stream, quarter, serialize(sheet));
        });
      }),
    close: async () => {},
  };

  async #streamsOf(statements: Statements, of: ResultStreams): Promise<readonly number[]> {
    if ('stream' in of) return [of.stream];
    return (await this.#captures.streams.matching(statements, recordedFrames(of))).matching;
  }
}

const lockOf = ({ organizationId, stream, quarter }: FramePlace): string =>
  JSON.stringify(['result sheet', organizationId, stream, quarter]);

function readerOf(statements: Statements, { organizationId }: ResultStreams, streams: readonly number[]): ResultReader {
  return {
    streams,
    async firstTime(from, to) {
      const found = await statements.row(
        `SELECT min(first.time) AS time FROM unnest($2::bigint[]) AS own (stream) CROSS JOIN LATERAL (
           SELECT time FROM binary_captures AS held
           WHERE held.organization_id = $1 AND held.stream = own.stream AND time >= $3 AND time < $4 ORDER BY time, id LIMIT 1
         ) AS first`,
        organizationId,
        streams,
        from,
        to,
      );
      return found!['time'] as Micros | null;
    },
    async sheet(stream, quarter) {
      const sql = 'SELECT columns FROM result_sheets WHERE organization_id = $1 AND stream = $2 AND quarter = $3';
      const found = await statements.row(sql, organizationId, stream, quarter);
      return found === undefined ? null : (deserialize(found['columns'] as Buffer) as ResultSheet);
    },
    async frames(stream, quarter, limit) {
      const { start, end } = timesOf(quarter);
      const rows = await statements.rows(
        `SELECT time, entry FROM binary_captures
         WHERE organization_id = $1 AND stream = $2 AND time >= $3 AND time < $4 ORDER BY time, id LIMIT $5`,
        organizationId,
        stream,
        start,
        end,
        Number.isFinite(limit) ? limit : null,
      );
      return rows.map(({ time, entry }) => ({
        ...(deserialize(entry as Buffer) as ResultFrame),
        timeRequested: time as Micros,
      }));
    },
  };
}
