import type { ResultColumns } from '../../evidence/replay/result-columns.ts';

/**
 * Leaves out the results of some frames, and the names that only these have; the frames stay.
 * @param columns results of frames
 * @param hiddenMs capture times of the frames whose results are left out, in milliseconds since 1970
 * @returns columns whose names are those of the results that are left: a stored sheet names what is on its other frames as well
 * @example
 * const [timesMs, starts, labels] = [Float64Array.of(1, 2), Uint32Array.of(0, 1, 2), Uint32Array.of(0, 1)];
 * const columns = { timesMs, starts, labels, scores: Float64Array.of(0.5, 0.7), names: ['cat', 'dog'] };
 * withoutResults(columns, new Set([1])).names; // => ['dog']
 */
export function withoutResults(columns: ResultColumns, hiddenMs: ReadonlySet<number>): ResultColumns {
  const { timesMs, starts, labels, scores, names } = columns;
  const left: number[] = [];
  const startsLeft = new Uint32Array(starts.length);
  for (const [frame, time] of timesMs.entries()) {
    if (!hiddenMs.has(time)) for (let at = starts[frame]!; at < starts[frame + 1]!; at++) left.push(at);
    startsLeft[frame + 1] = left.length;
  }
  const numbers = new Map([...new Set(left.map((at) => labels[at]!))].map((label, number) => [label, number]));
  return {
    timesMs,
    starts: startsLeft,
    labels: Uint32Array.from(left, (at) => numbers.get(labels[at]!)!),
    scores: Float64Array.from(left, (at) => scores[at]!),
    names: Array.from(numbers.keys(), (label) => names[label]!),
  };
}
