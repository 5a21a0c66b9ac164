import type { Micros } from '../../data-service/face/captures.ts';
import { type ResultFilter, type ResultKind, StoreError } from '../../data-service/face/stores.ts';
import type { ResultColumns } from '../../evidence/replay/result-columns.ts';
import {
  mergeColumns,
  quarterOf,
  sheetOf,
  timesOf,
  within,
  type ResultFrame,
  type ResultSheet,
} from './result-sheets.ts';

/** One unchanging state of a store. */
export interface ResultReader {
  /** the streams that hold the frames */
  readonly streams: readonly number[];
  /** The time of the first frame of these streams from a time to before another one; null: there is none. */
  firstTime(from: Micros, to: Micros): Promise<Micros | null>;
  /** The sheet that is kept of a stream's quarter of an hour; null: none. */
  sheet(stream: number, quarter: number): Promise<ResultSheet | null>;
  /** The first frames of a stream's quarter, up to `limit`, in order. */
  frames(stream: number, quarter: number, limit: number): Promise<readonly ResultFrame[]>;
}

/** Whose frames: what a filter takes, or one stream of an organization. */
export type ResultStreams = ResultFilter | { readonly organizationId: string; readonly stream: number };

/** What a store has to do for results, each in one state of it. */
export interface ResultSource {
  read<T>(of: ResultStreams, work: (reader: ResultReader) => Promise<T>): Promise<T>;
  /** Reads a quarter, and keeps sheets of the streams that have none and enough frames in it. */
  makeSheets(of: ResultStreams, quarter: number): Promise<readonly ResultSheet[]>;
  /** Ends a scan: no call follows. */
  close(): Promise<void>;
}

/** The sheets of a quarter, those that are not kept made of rows; with `keep`, those of enough rows are kept. */
export async function readQuarter(
  reader: ResultReader,
  quarter: number,
  keep: (stream: number, sheet: ResultSheet, frameCount: number) => Promise<void> = async () => {},
): Promise<readonly ResultSheet[]> {
  const sheets: ResultSheet[] = [];
  for (const stream of reader.streams) {
    const kept = await reader.sheet(stream, quarter);
    if (kept !== null) {
      sheets.push(kept);
      continue;
    }
    const frames = await reader.frames(stream, quarter, Infinity);
    const sheet = sheetOf(frames);
    await keep(stream, sheet, frames.length);
    sheets.push(sheet);
  }
  return sheets;
}

/** What `ResultStore.scan` gives, a piece for each quarter of an hour that has frames. */
export async function* scanResults(
  source: ResultSource,
  filter: ResultFilter,
  kind: ResultKind,
  signal: AbortSignal,
  enough: number,
): AsyncGenerator<ResultColumns, void> {
  const { start, end } = filter.interval;
  try {
    for (let from = start ?? -Infinity; ;) {
      signal.throwIfAborted();
      const next = await source.read(filter, (reader) => nextQuarter(reader, from, end ?? Infinity, enough));
      if (next === null) return;
      const sheets = next.sheets ?? (await sheetsOf(source, filter, next.quarter));
      const columns = within(mergeColumns(sheets.map((sheet) => sheet[kind])), filter.interval);
      if (columns.timesMs.length > 0) yield columns;
      from = timesOf(next.quarter).end;
    }
  } finally {
    await source.close();
  }
}

/** Makes the sheets of a quarter, and keeps them where there is room. */
async function sheetsOf(source: ResultSource, filter: ResultFilter, quarter: number): Promise<readonly ResultSheet[]> {
  try {
    return await source.makeSheets(filter, quarter);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'resource-exhausted')) throw error;
    return source.read(filter, (reader) => readQuarter(reader, quarter)); // to read needs no room
  }
}

/** The first quarter with frames; without its sheets where a stream has no sheet and so many rows that one is to be made. */
async function nextQuarter(reader: ResultReader, from: Micros, to: Micros, enough: number) {
  const time = from < to ? await reader.firstTime(from, to) : null;
  if (time === null) return null;
  const quarter = quarterOf(time);
  const sheets: ResultSheet[] = [];
  for (const stream of reader.streams) {
    const sheet = await reader.sheet(stream, quarter);
    const frames = sheet === null ? await reader.frames(stream, quarter, enough) : [];
    if (frames.length === enough) return { quarter, sheets: null };
    sheets.push(sheet ?? sheetOf(frames));
  }
  return { quarter, sheets };
}
