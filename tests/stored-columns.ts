import type { ResultColumns } from '../src/evidence/replay/result-columns.ts';

/** A frame: its time, and label number and score of each result. */
export type StoredFrame = readonly [timeMs: number, ...results: (readonly [label: number, score: number])[]];

/** Columns of stored results, written as a table. */
export function storedColumns(frames: readonly StoredFrame[], names: readonly string[]): ResultColumns {
  const results = frames.flatMap(([, ...found]) => found);
  const starts = new Uint32Array(frames.length + 1);
  frames.forEach(([, ...found], frame) => (starts[frame + 1] = starts[frame]! + found.length));
  return {
    timesMs: Float64Array.from(frames, ([timeMs]) => timeMs),
    starts,
    labels: Uint32Array.from(results, ([label]) => label),
    scores: Float64Array.from(results, ([, score]) => score),
    names,
  };
}
