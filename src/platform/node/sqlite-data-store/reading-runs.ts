import {
  type PathTree,
  pick,
  type Position,
  type ReadingRun,
  type StructObject,
  type StructValue,
  type TabularFilter,
  type TabularRow,
} from '../../../data-service/face/captures.ts';
import { boundsBeyond, comparePositions, type OpenBounds } from '../../data-store/capture-ranges.ts';
import { joinTabular, type CaptureStream } from '../../data-store/capture-stream.ts';
import type { ReadingSheet } from '../reading-sheet/reading-sheet.ts';
import { SheetLane } from './sheet-lane.ts';
import type { SqliteCaptures, StoredCapture } from './sqlite-captures.ts';

type Captures = SqliteCaptures<TabularRow, TabularFilter>;

/** Some readings of one stream in order: a part of a sheet, or rows. */
interface Chunk {
  readonly origin: CaptureStream;
  readonly times: ArrayLike<number>;
  readonly to: number;
  id(place: number): string;
  payloads(tree: PathTree): (place: number) => StructValue;
  row(place: number): TabularRow;
}

/** A stream's sheets, or its rows: the chunk that is being read, and the first place of it that was not taken. */
interface Lane {
  chunk: Chunk;
  from: number;
  readonly next: () => { readonly chunk: Chunk; readonly from: number } | null;
}

const rowsAtOnce = 1000;

/** What whole streams hold within the filter's interval, in the order of all, run by run. Within a transaction. */
export function* readingRuns(captures: Captures, filter: TabularFilter): Generator<ReadingRun> {
  const bounds = boundsBeyond(filter.interval, 'ascending', null);
  if (bounds === null) return;
  // by where each begins: the first is the one to take from
  const lanes: Lane[] = [];
  for (const stream of captures.streams.matching(filter).matching) {
    for (const next of [sheetChunks(captures, stream, bounds), rowChunks(captures, stream, bounds)]) {
      const first = next();
      if (first !== null) putInOrder(lanes, { ...first, next });
    }
  }
  for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
    const { chunk, from } = lane;
    const to = placesBefore(chunk, from, lanes[0]);
    const { origin, times, payloads, row } = chunk;
    yield { origin, timesRequested: times, from, to, payloads, row };
    const rest = to < chunk.to ? { chunk, from: to } : lane.next();
    if (rest !== null) putInOrder(lanes, { ...rest, next: lane.next });
  }
}

const placeOf = (chunk: Chunk, at: number): Position => ({ time: chunk.times[at]!, id: chunk.id(at) });

/** Whether a reading comes before the next one of a lane. Ids are read only where times are the same. */
function isBefore(chunk: Chunk, at: number, other: Lane): boolean {
  const [time, otherTime] = [chunk.times[at]!, other.chunk.times[other.from]!];
  return time === otherTime
    ? comparePositions(placeOf(chunk, at), placeOf(other.chunk, other.from)) < 0
    : time < otherTime;
}

/** Up to where a chunk, whose next reading is the first of all, comes before what another lane has. */
function placesBefore(chunk: Chunk, from: number, other: Lane | undefined): number {
  if (other === undefined || isBefore(chunk, chunk.to - 1, other)) return chunk.to;
  let to = from + 1;
  while (isBefore(chunk, to, other)) to++;
  return to;
}

function putInOrder(lanes: Lane[], lane: Lane): void {
  let [least, most] = [0, lanes.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (isBefore(lane.chunk, lane.from, lanes[middle]!)) most = middle;
    else least = middle + 1;
  }
  lanes.splice(least, 0, lane);
}

/** Keeps the reader of the tree that was last asked for: a chunk may be read in many runs. */
function remembered(make: (tree: PathTree) => (place: number) => StructValue): Chunk['payloads'] {
  let last: { readonly tree: PathTree; readonly read: (place: number) => StructValue } | null = null;
  return (tree) => (last?.tree === tree ? last : (last = { tree, read: make(tree) })).read;
}

function sheetChunks(captures: Captures, stream: number, bounds: OpenBounds): Lane['next'] {
  const origin = captures.streams.byId(stream);
  const lane = new SheetLane(captures.sheets!, stream, bounds, 'ascending');
  return () => {
    const part = lane.next();
    if (part === null) return null;
    const sheet: ReadingSheet = captures.sheets!.open(part.row);
    const chunk: Chunk = {
      origin,
      times: sheet.times,
      to: part.to,
      id: (place) => sheet.id(place),
      payloads: remembered((tree) => sheet.payloads(tree)),
      row: (place) => joinTabular(origin, sheet.entry(place)),
    };
    return { chunk, from: part.from };
  };
}

function rowChunks(captures: Captures, stream: number, { lower, upper }: OpenBounds): Lane['next'] {
  const origin = captures.streams.byId(stream);
  let beyond = lower;
  let hasMore = true;
  return () => {
    const rows = hasMore ? captures.rowsOf(stream, { lower: beyond, upper }, rowsAtOnce) : [];
    hasMore = rows.length === rowsAtOnce;
    if (rows.length === 0) return null;
    beyond = rows.at(-1)!;
    return { chunk: rowChunk(captures, origin, rows), from: 0 };
  };
}

function rowChunk(captures: Captures, origin: CaptureStream, rows: readonly StoredCapture[]): Chunk {
  const texts = rows.map(({ payload }) => payload ?? 'null');
  let parsed: StructValue[] | null = null;
  const payloadAt = (place: number): StructObject => {
    parsed ??= JSON.parse(`[${texts.join()}]`) as StructValue[];
    return (parsed[place] as StructObject | null) ?? captures.join(rows[place]!).payload;
  };
  return {
    origin,
    times: rows.map(({ time }) => time),
    to: rows.length,
    id: (place) => rows[place]!.id,
    payloads: remembered((tree) => (place) => pick(payloadAt(place), tree)),
    row: (place) => captures.join(rows[place]!),
  };
}
