import { reduceMax, reshape } from '../../onnx/versioned-operators.ts';
import type { Head } from '../family.ts';

/**
 * Of scores [N] the rows [M] int64 that reach the score threshold, in their order: a few hundred of thousands, so that what follows takes
 * little time. Where none does, the highest alone, as not every operator takes none; suppression drops it.
 */
export function passingRows(head: Head, scores: string): string {
  const { build } = head;
  const least = build.add('Min', [build.floats([], [head.number('scoreThreshold')]), reduceMax(build, scores, 0)]);
  const isPassing = build.add('Not', [build.add('Less', [scores, least])]);
  return reshape(build, build.add('NonZero', [isPassing]), [-1]);
}
