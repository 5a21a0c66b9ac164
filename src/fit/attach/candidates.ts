import { reduceMax, reshape } from '../../onnx/versioned-operators.ts';
import type { Head } from '../family.ts';

/** The best candidates of a head, before suppression: T of them, best first. */
export interface Candidates {
  /** [T] int64, rows of the head */
  readonly index: string;
  /** [T] */
  readonly score: string;
  /** [T] int64, the class of the highest score, the first of equals */
  readonly category: string;
  /** T */
  readonly count: number;
}

export interface ClassScores {
  /** [1, N, C] or [1, C, N] */
  readonly scores: string;
  readonly classAxis: 1 | 2;
  /** N */
  readonly count: number;
  /** [1, N], by which every class's score is multiplied; null where the head has none */
  readonly objectness: string | null;
}

/** The `maxCandidates` rows with the best class first, so that all that follows is small. */
export interface BestRows {
  /** [T] int64, rows of the head */
  readonly index: string;
  /** [T], of the best class */
  readonly score: string;
  /** [1, T, C] or [1, C, T], as the head's */
  readonly classScores: string;
  /** T */
  readonly count: number;
}

export function bestRows(head: Head, { scores, classAxis, count, objectness }: ClassScores): BestRows {
  const { build } = head;
  const most = reduceMax(build, scores, classAxis);
  const scored = objectness === null ? most : build.add('Mul', [most, objectness]);
  const taken = Math.min(count, head.number('maxCandidates'));
  const [score, index] = build.addMany('TopK', [reshape(build, scored, [count]), build.ints([1], [taken])], 2, {
    axis: { int: 0 },
  }) as [string, string];
  return {
    index,
    score,
    classScores: build.add('Gather', [scores, index], { axis: { int: 3 - classAxis } }),
    count: taken,
  };
}

/** Each of the best rows with its best class. */
export function bestCandidates(head: Head, scores: ClassScores): Candidates {
  const { build } = head;
  const { index, score, classScores, count } = bestRows(head, scores);
  const category = build.add('ArgMax', [classScores], { axis: { int: scores.classAxis }, keepdims: { int: 0 } });
  return { index, score, category: reshape(build, category, [count]), count };
}
