import type { BinaryRecord, Interval, Micros } from '../../data-service/face/captures.ts';
import type { ResultKind } from '../../data-service/face/stores.ts';
import type { ResultColumns } from '../../evidence/replay/result-columns.ts';

/**
 * What a vision service said of the frames of one stream in a quarter of an hour. It repeats what the frames' rows say,
 * packed: reading a row takes hundreds of times as long. Whatever writes or deletes a frame takes back the sheet that it
 * falls into, in the same transaction.
 */
export type ResultSheet = Readonly<Record<ResultKind, ResultColumns>>;

/** The part of a stored frame that makes results. */
export type ResultFrame = Pick<BinaryRecord, 'timeRequested' | 'boundingBoxes' | 'classifications'>;

const quarterMicros: Micros = 15 * 60 * 1_000_000;

/** Which quarter of an hour since 1970 a time is in. */
export const quarterOf = (time: Micros): number => Math.floor(time / quarterMicros);

/** The times of a quarter: the first, and the first after it. */
export const timesOf = (quarter: number): { readonly start: Micros; readonly end: Micros } => ({
  start: quarter * quarterMicros,
  end: (quarter + 1) * quarterMicros,
});

/** @param frames in the order of their times */
export function sheetOf(frames: readonly ResultFrame[]): ResultSheet {
  const timesMs = Float64Array.from(frames, ({ timeRequested }) => timeRequested / 1000);
  return {
    detections: columnsOf(
      timesMs,
      frames.map(({ boundingBoxes }) => boundingBoxes),
    ),
    classifications: columnsOf(
      timesMs,
      frames.map(({ classifications }) => classifications),
    ),
  };
}

type Results = readonly { readonly label: string; readonly confidence: number | null }[];

function columnsOf(timesMs: Float64Array, results: readonly Results[]): ResultColumns {
  const starts = new Uint32Array(timesMs.length + 1);
  const numbers = new Map<string, number>();
  const labels: number[] = [];
  const scores: number[] = [];
  for (const [frame, found] of results.entries()) {
    for (const { label, confidence } of found) {
      if (confidence === null) continue;
      const number = numbers.get(label) ?? numbers.size;
      numbers.set(label, number);
      labels.push(number);
      scores.push(confidence);
    }
    starts[frame + 1] = labels.length;
  }
  return {
    timesMs,
    starts,
    labels: Uint32Array.from(labels),
    scores: Float64Array.from(scores),
    names: [...numbers.keys()],
  };
}

/** The frames of columns within an interval. */
export function within(columns: ResultColumns, { start, end }: Interval): ResultColumns {
  const { timesMs, starts, labels, scores, names } = columns;
  const from = start === null ? 0 : countBefore(timesMs, start / 1000);
  const to = Math.max(from, end === null ? timesMs.length : countBefore(timesMs, end / 1000));
  if (from === 0 && to === timesMs.length) return columns;
  const [first, last] = [starts[from]!, starts[to]!];
  return {
    timesMs: timesMs.slice(from, to),
    starts: starts.slice(from, to + 1).map((place) => place - first),
    labels: labels.slice(first, last),
    scores: scores.slice(first, last),
    names,
  };
}

function countBefore(timesMs: Float64Array, timeMs: number): number {
  let [least, most] = [0, timesMs.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (timesMs[middle]! < timeMs) least = middle + 1;
    else most = middle;
  }
  return least;
}

/** The frames of several columns in the order of their times; of one time, those of the first columns come first. */
export function mergeColumns(all: readonly ResultColumns[]): ResultColumns {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const names = [...new Set(all.flatMap((columns) => columns.names))];
  const numbers = all.map((columns) => columns.names.map((name) => names.indexOf(name)));
  const frames = all
    .flatMap(({ timesMs, starts }, source) =>
      Array.from(timesMs, (timeMs, frame) => ({ timeMs, source, from: starts[frame]!, to: starts[frame + 1]! })),
    )
    .sort((a, b) => a.timeMs - b.timeMs);
  const starts = new Uint32Array(frames.length + 1);
  const labels: number[] = [];
  const scores: number[] = [];
  for (const [frame, { source, from, to }] of frames.entries()) {
    for (let place = from; place < to; place++) {
      labels.push(numbers[source]![all[source]!.labels[place]!]!);
      scores.push(all[source]!.scores[place]!);
    }
    starts[frame + 1] = labels.length;
  }
  const timesMs = Float64Array.from(frames, ({ timeMs }) => timeMs);
  return { timesMs, starts, labels: Uint32Array.from(labels), scores: Float64Array.from(scores), names };
}
