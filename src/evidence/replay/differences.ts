import type { ResultColumns } from './result-columns.ts';

/** What two filters keep of the same results. */
export interface Differences {
  /** by label: kept by the first filter alone, by the second alone, by both */
  readonly onlyFirst: Uint32Array;
  readonly onlySecond: Uint32Array;
  readonly both: Uint32Array;
  /** frames of which both keep not the same: number, capture time, and how many results only one of them keeps */
  readonly frames: FrameDifferences;
}

export interface FrameDifferences {
  readonly frame: Uint32Array;
  readonly timeMs: Float64Array;
  readonly onlyFirst: Uint32Array;
  readonly onlySecond: Uint32Array;
}

/**
 * Compares what two filters keep of the same results.
 * @param columns what was stored
 * @param first numbers of the results that the first keeps, rising
 * @param second those of the second
 * @returns counts, and the frames that differ in their order; its buffers are the caller's
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 200), starts: Uint32Array.of(0, 1, 2), labels: Uint32Array.of(0, 0),
 *   scores: Float64Array.of(0.4, 0.6), names: ['cat'],
 * };
 * [...differencesOf(columns, Uint32Array.of(0, 1), Uint32Array.of(1)).frames.timeMs]; // => [0]
 */
export function differencesOf(columns: ResultColumns, first: Uint32Array, second: Uint32Array): Differences {
  const { timesMs, starts, labels, names } = columns;
  const counts = () => new Uint32Array(names.length);
  const [onlyFirst, onlySecond, both] = [counts(), counts(), counts()];
  const frameRoom = () => new Uint32Array(timesMs.length);
  const frames = { frame: frameRoom(), onlyFirst: frameRoom(), onlySecond: frameRoom() };
  let differing = 0;
  let [a, b] = [0, 0];
  for (let frame = 0; frame < timesMs.length; frame++) {
    const end = starts[frame + 1]!;
    let [inFirst, inSecond] = [0, 0];
    while (first[a]! < end || second[b]! < end) {
      // Behind the last one is undefined, with which no comparison holds.
      const [one, other] = [first[a] ?? Infinity, second[b] ?? Infinity];
      const label = labels[Math.min(one, other)]!;
      if (one === other) both[label] = both[label]! + 1;
      else if (one < other) {
        onlyFirst[label] = onlyFirst[label]! + 1;
        inFirst++;
      } else {
        onlySecond[label] = onlySecond[label]! + 1;
        inSecond++;
      }
      if (one <= other) a++;
      if (other <= one) b++;
    }
    if (inFirst + inSecond === 0) continue;
    frames.frame[differing] = frame;
    frames.onlyFirst[differing] = inFirst;
    frames.onlySecond[differing++] = inSecond;
  }
  const frame = frames.frame.slice(0, differing);
  return {
    onlyFirst,
    onlySecond,
    both,
    frames: {
      frame,
      timeMs: Float64Array.from(frame, (at) => timesMs[at]!),
      onlyFirst: frames.onlyFirst.slice(0, differing),
      onlySecond: frames.onlySecond.slice(0, differing),
    },
  };
}
