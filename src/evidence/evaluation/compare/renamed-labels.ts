import type { DetectionSet, EvaluationSpace } from '../evaluation.ts';
import { compareDetections } from './compare-detections.ts';

/** Labels by which each of two runs calls what the other calls by another name, as numbers. */
export interface RenamedLabels {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/**
 * The labels that only one of two runs says and that the other most likely has under another name, such as diningtable and
 * dining table: they are spelt alike but for spaces and signs, or a box of the one lies where the other has one. A label that
 * one run says and of which the other has nothing is none: it is missed there.
 *
 * @param first detections of one run
 * @param second detections of the other
 * @param space of both
 * @returns labels of each side, rising; both empty where nothing was renamed
 * @example
 * import { DetectionSetBuilder } from '../build-sets.ts';
 * const [ours, theirs] = [new DetectionSetBuilder(), new DetectionSetBuilder()];
 * ours.add(0, 0, [0, 0, 10, 10], 0.9);
 * theirs.add(0, 1, [0, 0, 10, 10], 0.9);
 * renamedLabels(ours.build(), theirs.build(), { imageCount: 1, labels: ['sofa', 'couch'] }); // => { first: [0], second: [1] }
 */
export function renamedLabels(
  first: DetectionSet,
  second: DetectionSet,
  { labels }: Pick<EvaluationSpace, 'labels'>,
): RenamedLabels {
  const [ofFirst, ofSecond] = [new Set(first.label), new Set(second.label)];
  const ours = [...ofFirst].filter((label) => !ofSecond.has(label));
  const theirs = [...ofSecond].filter((label) => !ofFirst.has(label));
  const renamed = { first: new Set<number>(), second: new Set<number>() };
  if (ours.length > 0 && theirs.length > 0) {
    const onlyOf = (own: readonly number[]) => labels.map((_, label) => (own.includes(label) ? -Infinity : Infinity));
    const { changes } = compareDetections(first, second, {
      firstThresholds: onlyOf(ours),
      secondThresholds: onlyOf(theirs),
    });
    const spelt = (label: number): string => labels[label]!.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    const pairs = [
      ...changes
        .filter(({ kind }) => kind === 'relabelled')
        .map((change) => [first.label[change.first]!, second.label[change.second]!] as const),
      ...ours.flatMap((one) =>
        theirs.filter((other) => spelt(one) === spelt(other)).map((other) => [one, other] as const),
      ),
    ];
    for (const [one, other] of pairs) {
      renamed.first.add(one);
      renamed.second.add(other);
    }
  }
  const rising = (of: ReadonlySet<number>): number[] => [...of].sort((a, b) => a - b);
  return { first: rising(renamed.first), second: rising(renamed.second) };
}
