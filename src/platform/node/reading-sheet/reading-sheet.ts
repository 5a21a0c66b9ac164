import type {
  PackedValue,
  PathTree,
  StructObject,
  StructValue,
  TabularRow,
} from '../../../data-service/face/captures.ts';
import type { StreamEntry } from '../../data-store/capture-stream.ts';
import { decodeColumn, encodeColumn, type ColumnForm, type EncodedColumn } from './sheet-column.ts';
import { leafColumns, pickShape, shapeReader, splitPayloads, type PayloadShape } from './payload-shape.ts';

type Entry = StreamEntry<TabularRow>;

interface SheetHeader {
  readonly count: number;
  readonly shapes: readonly PayloadShape[];
  /** form of every column, and where its bytes lie, counted from the end of the header */
  readonly columns: readonly (readonly [form: ColumnForm, start: number, length: number])[];
}

/** What every sheet begins its columns with; those of the payloads follow. */
const ownColumns = ['times', 'received', 'synced', 'sizes', 'idTexts', 'idNumbers', 'parameters', 'shapeOf'] as const;
type OwnColumn = (typeof ownColumns)[number];

const idDigits = 6;

/**
 * Many readings of one stream, column by column: what a query asks of a thousand of them is one array, and what they have
 * in common is kept once. Readings with tags have no place here.
 * @param rows at least one, in order of (time requested, id)
 */
export function encodeSheet(rows: readonly Entry[]): Uint8Array {
  const times = rows.map(({ timeRequested }) => timeRequested);
  const { shapes, shapeOf, columns } = splitPayloads(rows.map(({ payload }) => payload));
  const own: Record<OwnColumn, readonly StructValue[]> = {
    times,
    received: since(times, rows, 'timeReceived'),
    synced: since(times, rows, 'timeSynced'),
    sizes: rows.map(({ sizeBytes }) => sizeBytes),
    ...splitIds(rows.map(({ id }) => id)),
    parameters: rows.map(parametersText),
    shapeOf,
  };
  const encoded = [...ownColumns.map((name) => own[name]), ...columns].map(encodeColumn);
  return joinColumns(rows.length, shapes, encoded);
}

/** Times as what they are after `times`, unless numbers so large would not add up to them. */
function since(times: readonly number[], rows: readonly Entry[], name: 'timeReceived' | 'timeSynced'): StructValue[] {
  const deltas = rows.map((row, index) => row[name] - times[index]!);
  if (rows.every((row, index) => times[index]! + deltas[index]! === row[name])) return deltas;
  return rows.map((row) => String(row[name]));
}

/** Ids of one upload differ in the number that they end with. */
function splitIds(ids: readonly string[]): { idTexts: readonly string[]; idNumbers: readonly number[] } {
  if (!ids.every((id) => /\d{6}$/.test(id))) return { idTexts: ids, idNumbers: ids.map(() => -1) };
  return { idTexts: ids.map((id) => id.slice(0, -idDigits)), idNumbers: ids.map((id) => Number(id.slice(-idDigits))) };
}

function parametersText({ additionalParameters, methodParameters }: Entry): string {
  const packed = Object.entries(methodParameters).map(([name, { typeUrl, value }]) => [
    name,
    typeUrl,
    Buffer.from(value).toString('base64'),
  ]);
  return JSON.stringify([additionalParameters, packed]);
}

function parseParameters(text: string): Pick<Entry, 'additionalParameters' | 'methodParameters'> {
  const [additionalParameters, packed] = JSON.parse(text) as [string, [string, string, string][]];
  const methodParameters: Record<string, PackedValue> = Object.fromEntries(
    packed.map(([name, typeUrl, base64]) => [name, { typeUrl, value: new Uint8Array(Buffer.from(base64, 'base64')) }]),
  );
  return { additionalParameters, methodParameters };
}

const aligned = (length: number): number => Math.ceil(length / 8) * 8;

function joinColumns(count: number, shapes: readonly PayloadShape[], encoded: readonly EncodedColumn[]): Uint8Array {
  let end = 0;
  const columns = encoded.map(({ form, bytes }) => {
    const start = end;
    end += aligned(bytes.length);
    return [form, start, bytes.length] as const;
  });
  const header = new TextEncoder().encode(JSON.stringify({ count, shapes, columns } satisfies SheetHeader));
  const bodyStart = aligned(4 + header.length);
  const sheet = new Uint8Array(bodyStart + end);
  new DataView(sheet.buffer).setUint32(0, header.length, true);
  sheet.set(header, 4);
  for (const [index, { bytes }] of encoded.entries()) sheet.set(bytes, bodyStart + columns[index]![1]);
  return sheet;
}

/** A sheet being read. Columns are decoded when they are first asked for. */
export class ReadingSheet {
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #bodyStart: number;
  readonly #header: SheetHeader;
  readonly #decoded = new Map<number, ArrayLike<StructValue | undefined>>();
  readonly #parameters = new Map<string, ReturnType<typeof parseParameters>>();
  #payload: ((row: number) => StructValue) | null = null;

  /** @param bytes of `encodeSheet` */
  constructor(bytes: Uint8Array) {
    // typed arrays begin at multiples of their width
    this.#bytes = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    this.#bodyStart = aligned(4 + length);
    this.#header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as SheetHeader;
    this.count = this.#header.count;
  }

  /** The times requested, in order. */
  get times(): ArrayLike<number> {
    return this.#own('times') as ArrayLike<number>;
  }

  id(row: number): string {
    const number = this.#own('idNumbers')[row] as number;
    const text = this.#own('idTexts')[row] as string;
    return number < 0 ? text : text + String(number).padStart(idDigits, '0');
  }

  timeSynced(row: number): number {
    return this.#after('synced', row);
  }

  sizeBytes(row: number): number {
    return this.#own('sizes')[row] as number;
  }

  entry(row: number): Entry {
    this.#payload ??= this.payloads('all');
    return {
      id: this.id(row),
      tags: [],
      timeRequested: this.times[row]!,
      sizeBytes: this.sizeBytes(row),
      timeReceived: this.#after('received', row),
      timeSynced: this.timeSynced(row),
      ...this.#parametersOf(row),
      payload: this.#payload(row) as StructObject,
    };
  }

  /** Reads of payloads what is wanted, off the columns that hold it. */
  payloads(tree: PathTree): (row: number) => StructValue {
    const shapeOf = this.#own('shapeOf');
    const readers = this.#header.shapes.map((shape) =>
      shapeReader(pickShape(shape, tree), (column) => this.#payloadColumn(column)),
    );
    const [only] = readers;
    return readers.length === 1 && tree === 'all' ? only! : (row) => readers[shapeOf[row] as number]!(row);
  }

  /** A column with the values of all rows: none where the shape of a row has no such leaf. */
  #payloadColumn(column: number): ArrayLike<StructValue | undefined> {
    const place = ownColumns.length + column;
    const known = this.#decoded.get(place);
    if (known !== undefined) return known;
    const has = this.#header.shapes.map((shape) => leafColumns(shape).includes(column));
    if (!has.includes(false)) return this.#decode(place, this.count);
    const shapeOf = this.#own('shapeOf');
    const rows = Array.from({ length: this.count }, (_, row) => row).filter((row) => has[shapeOf[row] as number]);
    const held = this.#decode(place, rows.length);
    const values = new Array<StructValue | undefined>(this.count);
    for (const [index, row] of rows.entries()) values[row] = held[index];
    this.#decoded.set(place, values);
    return values;
  }

  #own(name: OwnColumn): ArrayLike<StructValue | undefined> {
    return this.#decode(ownColumns.indexOf(name), this.count);
  }

  #decode(place: number, count: number): ArrayLike<StructValue | undefined> {
    let values = this.#decoded.get(place);
    if (values === undefined) {
      const [form, start, length] = this.#header.columns[place]!;
      const bytes = this.#bytes.subarray(this.#bodyStart + start, this.#bodyStart + start + length);
      this.#decoded.set(place, (values = decodeColumn({ form, bytes }, count)));
    }
    return values;
  }

  #after(name: 'received' | 'synced', row: number): number {
    const value = this.#own(name)[row] as number | string;
    return typeof value === 'string' ? Number(value) : this.times[row]! + value;
  }

  #parametersOf(row: number): ReturnType<typeof parseParameters> {
    const text = this.#own('parameters')[row] as string;
    if (!this.#parameters.has(text)) this.#parameters.set(text, parseParameters(text));
    return this.#parameters.get(text)!;
  }
}
