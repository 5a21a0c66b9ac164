import { reduceMax, reshape, smaller } from '../../onnx/face/graphs.ts';
import type { BestOf, Head } from '../structure/family.ts';

const alongRows = { axis: { int: 0 } };

/**
 * Finds the rows [M] int64 of scores [N] that reach the score threshold, in their order: a few hundred of thousands, so that what follows takes
 * little time. Where none does, the highest alone, as not every operator takes none; suppression drops it.
 */
export function passingRows(head: Head, scores: string): string {
  const { build } = head;
  const least = build.add('Min', [build.floats([], [head.number('scoreThreshold')]), reduceMax(build, scores, 0)]);
  const isPassing = build.add('Not', [build.add('Less', [scores, least])]);
  return reshape(build, build.add('NonZero', [isPassing]), [-1]);
}

/** The best `maxCandidates` of them. */
export function bestPassing(head: Head, scores: string): BestOf {
  const { build } = head;
  const passing = passingRows(head, scores);
  const ofPassing = build.add('Gather', [scores, passing], alongRows);
  const taken = smaller(build, build.add('Shape', [ofPassing]), build.ints([1], [head.number('maxCandidates')]));
  const [score, order] = build.addMany('TopK', [ofPassing, taken], 2, alongRows) as [string, string];
  return { index: build.add('Gather', [passing, order], alongRows), score };
}
