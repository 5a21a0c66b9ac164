import type { FootageFrame } from './footage-frame.ts';

/** Rows of one label: those of boxes, or of classes. */
export interface RowGroup {
  readonly label: string;
  /** which of all labels, from 0 */
  readonly labelId: number;
  /** place of a class in its list, by which equal scores are ordered; null: these are boxes */
  readonly classAt: number | null;
}

/**
 * The scores of some frames, by label and in falling order, those that are not numbers last: what a threshold keeps of a label
 * is a slice. A row takes five bytes, or nine where its score is no float32.
 */
export interface ScoreSheet {
  /** numbers of at most 256 frames, none of which failed, in order */
  readonly indices: Uint32Array;
  readonly timesMs: Float64Array;
  /** names of the frames; a single one: that of all */
  readonly names: readonly string[];
  /** the numbers of the groups that are there, rising */
  readonly groups: Uint32Array;
  /** group i has the rows starts[i] up to starts[i + 1] */
  readonly starts: Uint32Array;
  readonly scores: Float32Array | Float64Array;
  /** place of each row's frame in `indices` */
  readonly places: Uint8Array;
}

/** A frame and the group of each of its rows. */
export interface GroupedFrame {
  readonly frame: Pick<FootageFrame, 'index' | 'timeMs' | 'name'>;
  readonly groups: readonly number[];
  readonly scores: readonly number[];
}

/** How many frames a sheet has at most: a place is one byte. */
export const framesASheet = 256;

/**
 * @param given frames in order, at most `framesASheet`
 * @returns their sheet
 */
export function scoreSheet(given: readonly GroupedFrame[]): ScoreSheet {
  const rowCount = given.reduce((sum, { groups }) => sum + groups.length, 0);
  const [group, score, place] = [new Uint32Array(rowCount), new Float64Array(rowCount), new Uint8Array(rowCount)];
  let at = 0;
  for (const [number, { groups, scores }] of given.entries())
    for (let row = 0; row < groups.length; row++, at++) {
      group[at] = groups[row]!;
      score[at] = scores[row]!;
      place[at] = number;
    }
  const rank = (row: number): number => (Number.isNaN(score[row]) ? -Infinity : score[row]!);
  const order = Uint32Array.from({ length: rowCount }, (_, row) => row).sort(
    (a, b) => group[a]! - group[b]! || (rank(a) === rank(b) ? 0 : rank(b) - rank(a)),
  );
  const names = given.map(({ frame }) => frame.name);
  const groups: number[] = [];
  const starts: number[] = [];
  for (let row = 0; row < rowCount; row++)
    if (groups.at(-1) !== group[order[row]!]) {
      groups.push(group[order[row]!]!);
      starts.push(row);
    }
  return {
    indices: Uint32Array.from(given, ({ frame }) => frame.index),
    timesMs: Float64Array.from(given, ({ frame }) => frame.timeMs),
    names: new Set(names).size === 1 ? [names[0]!] : names,
    groups: Uint32Array.from(groups),
    starts: Uint32Array.from([...starts, rowCount]),
    scores: narrowed(Float64Array.from(order, (row) => score[row]!)),
    places: Uint8Array.from(order, (row) => place[row]!),
  };
}

/**
 * How many rows of a group a threshold keeps: the first ones.
 * @param sheet of frames
 * @param at place of the group in the sheet
 * @param threshold the lowest score that is kept; Infinity: none is; -Infinity: all are, without a number too
 * @returns the place behind the last row that is kept
 */
export function keptEnd(
  { starts, scores }: Pick<ScoreSheet, 'starts' | 'scores'>,
  at: number,
  threshold: number,
): number {
  let [from, to] = [starts[at]!, starts[at + 1]!];
  if (threshold === -Infinity) return to;
  if (threshold === Infinity) return from;
  // Of most labels a threshold keeps nothing, or all: that is said by the ends.
  if (from === to || !(scores[from]! >= threshold)) return from;
  if (scores[to - 1]! >= threshold) return to;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (scores[middle]! >= threshold) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** @returns the sheet without the rows below a score */
export function cutSheet(sheet: ScoreSheet, floor: number): ScoreSheet {
  const ends = Array.from(sheet.groups, (_, at) => keptEnd(sheet, at, floor));
  const there = ends.flatMap((end, at) => (end > sheet.starts[at]! ? [at] : []));
  const starts = [0];
  for (const at of there) starts.push(starts.at(-1)! + ends[at]! - sheet.starts[at]!);
  const Scores = sheet.scores.constructor as new (length: number) => Float32Array | Float64Array;
  const [scores, places] = [new Scores(starts.at(-1)!), new Uint8Array(starts.at(-1)!)];
  for (const [to, at] of there.entries()) {
    const [from, end] = [sheet.starts[at]!, ends[at]!];
    scores.set(sheet.scores.subarray(from, end), starts[to]!);
    places.set(sheet.places.subarray(from, end), starts[to]!);
  }
  const groups = Uint32Array.from(there, (at) => sheet.groups[at]!);
  return { ...sheet, groups, starts: Uint32Array.from(starts), scores, places };
}

/** The same numbers in half of the memory, where that changes none. */
function narrowed(wide: Float64Array): Float32Array | Float64Array {
  const narrow = new Float32Array(wide);
  return wide.every((value, at) => Object.is(narrow[at], value)) ? narrow : wide;
}
