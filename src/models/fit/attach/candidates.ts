import { reduceMax, reshape } from '../../onnx/face/graphs.ts';
import type { Head } from '../structure/family.ts';

/** The best candidates of a head, before suppression: T of them, best first. In ONNX, T is known when the graph runs. */
export interface Candidates {
  /** [T] whole numbers, rows of the head */
  readonly index: string;
  /** [T] */
  readonly score: string;
  /** [T] whole numbers, the class of the highest score, the first of equals */
  readonly category: string;
}

export interface ClassScores {
  /** [1, N, C] or [1, C, N] */
  readonly scores: string;
  readonly classAxis: 1 | 2;
  /** [1, N], by which every class's score is multiplied; null where the head has none */
  readonly objectness: string | null;
}

/** The rows whose best class passes the threshold, the best `maxCandidates` of them, so that all that follows is small. */
export interface BestRows {
  /** [T] whole numbers, rows of the head */
  readonly index: string;
  /** [T], of the best class */
  readonly score: string;
  /** [1, T, C] or [1, C, T], as the head's */
  readonly classScores: string;
}

export function bestRows(head: Head, { scores, classAxis, objectness }: ClassScores): BestRows {
  const { build } = head;
  const most = reduceMax(build, scores, classAxis);
  const scored = reshape(build, objectness === null ? most : build.add('Mul', [most, objectness]), [-1]);
  const { index, score } = head.ends.bestOf(head, scored);
  return { index, score, classScores: build.add('Gather', [scores, index], { axis: { int: 3 - classAxis } }) };
}

/** Each of the best rows with its best class. */
export function bestCandidates(head: Head, scores: ClassScores): Candidates {
  const { build } = head;
  const { index, score, classScores } = bestRows(head, scores);
  const category = build.add('ArgMax', [classScores], { axis: { int: scores.classAxis }, keepdims: { int: 0 } });
  return { index, score, category: reshape(build, category, [-1]) };
}
