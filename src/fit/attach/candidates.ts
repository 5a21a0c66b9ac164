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

/** Takes the `maxCandidates` rows with the best class first, so that all that follows is small. */
export function bestCandidates(head: Head, { scores, classAxis, count, objectness }: ClassScores): Candidates {
  const { build } = head;
  const most = reduceMax(build, scores, classAxis);
  const scored = objectness === null ? most : build.add('Mul', [most, objectness]);
  const taken = Math.min(count, head.number('maxCandidates'));
  const [score, index] = build.addMany('TopK', [reshape(build, scored, [count]), build.ints([1], [taken])], 2, {
    axis: { int: 0 },
  }) as [string, string];
  const ofTaken = build.add('Gather', [scores, index], { axis: { int: 3 - classAxis } });
  const category = build.add('ArgMax', [ofTaken], { axis: { int: classAxis }, keepdims: { int: 0 } });
  return { index, score, category: reshape(build, category, [taken]), count: taken };
}
