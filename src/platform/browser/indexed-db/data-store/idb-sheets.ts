import {
  payloadText,
  type Position,
  type ReadingOrigin,
  type ReadingToPack,
  type StructObject,
} from '../../../../data-service/face/captures.ts';
import { comparePositions, type OpenBounds } from '../../../data-store/capture-ranges.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { DataSchema, ReadTransaction, SheetKey, WriteTransaction } from './schema.ts';

type Sheet = DataSchema['sheets']['value'];
type Row = DataSchema['tabular']['value'];

/** A reading may be of 4 MB. */
const sheetTextLength = 4 * 1024 * 1024;
const rowsAtOnce = 250;

/**
 * Sheets repeat, packed, about `sheetRows` consecutive rows of a stream: IndexedDB takes more time for each record than
 * most queries do. A sheet holds exactly the rows beyond its `from` up to its end: whatever writes or deletes a row takes
 * back the sheet that it falls into, in the same transaction. Rows outside of sheets are read one by one.
 */
export class IdbSheets {
  readonly #database: IdbDatabase;
  readonly #sheetRows: number;
  readonly #making = new Set<number>();
  readonly #added = new Map<number, number>();

  constructor(database: IdbDatabase, sheetRows: number) {
    this.#database = database;
    this.#sheetRows = sheetRows;
  }

  /** Takes back the sheets of a stream that places fall into. */
  async forget(transaction: WriteTransaction, stream: number, places: readonly Position[]): Promise<void> {
    const sorted = [...places].sort(comparePositions);
    const [first, last] = [sorted[0], sorted.at(-1)];
    if (first === undefined || last === undefined) return;
    const store = transaction.objectStore('sheets');
    const keys = await store.getAllKeys(IDBKeyRange.bound([stream, first.time, first.id], [stream, []]));
    const held = keys.filter((key) => comparePositions(fromOf(key), last) < 0);
    await Promise.all(held.map((key) => store.delete(key)));
  }

  /** Tells of rows that were added to a stream: enough of them make sheets. */
  added(stream: number, count: number): void {
    const added = (this.#added.get(stream) ?? 0) + count;
    this.#added.set(stream, added);
    if (added >= this.#sheetRows) this.#make(stream);
  }

  /**
   * Readings of a stream in order, at least `enough` of them where there are so many. Where that took many single rows,
   * it has sheets made of them.
   */
  async read(
    transaction: ReadTransaction,
    stream: number,
    origin: ReadingOrigin,
    { lower, upper }: OpenBounds,
    enough: number,
  ): Promise<ReadingToPack[]> {
    const store = transaction.objectStore('sheets');
    const readings: ReadingToPack[] = [];
    let singles = 0;
    for (let beyond = lower; readings.length < enough && comparePositions(beyond, upper) < 0;) {
      const key = await store.getKey(endBeyond(stream, beyond));
      if (key !== undefined && comparePositions(fromOf(key), beyond) <= 0) {
        for (const reading of readingsOf((await store.get(key))!, origin)) {
          if (comparePositions(reading, lower) > 0 && comparePositions(reading, upper) < 0) readings.push(reading);
        }
        beyond = endOf(key);
        continue;
      }
      const isBetween = key !== undefined && comparePositions(fromOf(key), upper) < 0;
      const range = isBetween ? upTo(stream, beyond, fromOf(key)) : before(stream, beyond, upper);
      const left = enough - readings.length;
      const rows = await transaction.objectStore('tabular').index('stream').getAll(range, left);
      for (const row of rows) readings.push(readingOf(row, origin));
      singles += rows.length;
      if (rows.length === left || !isBetween) break;
      beyond = fromOf(key);
    }
    if (singles >= this.#sheetRows) this.#make(stream);
    return readings;
  }

  /** Makes the sheets that a stream lacks, beside everything else: where that fails, rows go on being read one by one. */
  #make(stream: number): void {
    if (this.#making.has(stream)) return;
    this.#making.add(stream);
    this.#added.delete(stream);
    const done = (): void => void this.#making.delete(stream);
    void this.#makeAll(stream).then(done, done);
  }

  async #makeAll(stream: number): Promise<void> {
    for (let from: Position | null = { time: -Infinity, id: '' }; from !== null;) {
      const beyond: Position = from;
      from = await this.#database.write(['tabular', 'sheets'], (transaction) =>
        makeNext(transaction, stream, beyond, this.#sheetRows),
      );
    }
  }
}

/** Makes the first sheet that a stream lacks beyond a place, and returns its end; null where none is to be made. */
async function makeNext(
  transaction: WriteTransaction,
  stream: number,
  from: Position,
  sheetRows: number,
): Promise<Position | null> {
  const store = transaction.objectStore('sheets');
  let beyond = from;
  for (const key of await store.getAllKeys(endBeyond(stream, from))) {
    if (comparePositions(fromOf(key), beyond) > 0) {
      // what lies between two sheets makes one of its own, however few rows there are
      const { rows, isAll } = await someRows(transaction, upTo(stream, beyond, fromOf(key)), 2 * sheetRows);
      const end = isAll ? fromOf(key) : placeOf(rows.at(-1)!);
      if (rows.length > 0) return putSheet(transaction, stream, beyond, end, rows);
    }
    beyond = endOf(key);
  }
  const { rows, isAll } = await someRows(transaction, upTo(stream, beyond, endOfTime), sheetRows);
  if (isAll && rows.length < sheetRows) return null;
  return putSheet(transaction, stream, beyond, placeOf(rows.at(-1)!), rows);
}

async function putSheet(
  transaction: WriteTransaction,
  stream: number,
  from: Position,
  end: Position,
  rows: readonly Row[],
) {
  const key: SheetKey = [stream, end.time, end.id, from.time, from.id];
  await transaction.objectStore('sheets').add(sheetOf(rows), key);
  return end;
}

/** The first rows of a range, so many or so long, and whether there are no more. */
async function someRows(transaction: WriteTransaction, range: IDBKeyRange, most: number) {
  const byStream = transaction.objectStore('tabular').index('stream');
  const rows: Row[] = [];
  let length = 0;
  for (let rest = range; rows.length < most && length < sheetTextLength;) {
    const wanted = Math.min(rowsAtOnce, most - rows.length);
    const some = await byStream.getAll(rest, wanted);
    rows.push(...some);
    if (some.length < wanted) return { rows, isAll: true };
    for (const { entry } of some) length += entry.sizeBytes;
    const { stream, time, id } = some.at(-1)!;
    rest = IDBKeyRange.bound([stream, time, id], range.upper, true, false);
  }
  return { rows, isAll: false };
}

function sheetOf(rows: readonly Row[]): Sheet {
  const texts = rows.map(({ entry }) => payloadText(entry.payload));
  const ends = new Uint32Array(rows.length);
  let end = 0;
  for (const [index, text] of texts.entries()) ends[index] = end += text?.length ?? 0;
  return {
    times: Float64Array.from(rows, ({ time }) => time),
    ids: JSON.stringify(rows.map(({ id }) => id)),
    texts: texts.join(''),
    ends,
    unusual: rows.flatMap(({ entry }, index) => (texts[index] === null ? [[index, entry.payload] as const] : [])),
  };
}

function readingsOf({ times, ids, texts, ends, unusual }: Sheet, origin: ReadingOrigin): ReadingToPack[] {
  const payloads = new Map<number, StructObject>(unusual);
  const idOf = JSON.parse(ids) as readonly string[];
  return Array.from(times, (time, index) => ({
    time,
    id: idOf[index]!,
    origin,
    text: payloads.has(index) ? null : texts.slice(index === 0 ? 0 : ends[index - 1], ends[index]),
    payload: () => payloads.get(index)!,
  }));
}

const readingOf = ({ time, id, entry: { payload } }: Row, origin: ReadingOrigin): ReadingToPack => ({
  time,
  id,
  origin,
  text: payloadText(payload),
  payload: () => payload,
});

const placeOf = ({ time, id }: Row): Position => ({ time, id });
const endOf = ([, time, id]: SheetKey): Position => ({ time, id });
const fromOf = ([, , , time, id]: SheetKey): Position => ({ time, id });

/** Sheets of a stream that end beyond a place: an array is beyond everything that begins with it. */
const endBeyond = (stream: number, { time, id }: Position): IDBKeyRange =>
  IDBKeyRange.bound([stream, time, id, []], [stream, []]);

const endOfTime: Position = { time: Infinity, id: '' };
const upTo = (stream: number, lower: Position, upper: Position): IDBKeyRange =>
  IDBKeyRange.bound([stream, lower.time, lower.id], [stream, upper.time, upper.id], true, false);
const before = (stream: number, lower: Position, upper: Position): IDBKeyRange =>
  IDBKeyRange.bound([stream, lower.time, lower.id], [stream, upper.time, upper.id], true, true);
