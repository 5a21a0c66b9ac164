import type { Tensor } from '../../machine/vision/face/feeding.ts';
import type { AlignedSides } from './align-sides.ts';
import type { ComparedSide, FirstDifference, NodeFacts, TensorPair, Tensors } from './first-difference.ts';
import { pairOf, type JudgedStep } from './judge-steps.ts';
import type { Lifetimes } from './narrow-steps.ts';
import type { Part } from './part-model.ts';
import { asDtype, type SideRuns } from './run-sides.ts';

/** A result without what all of them say. */
export type Found = FirstDifference extends infer F
  ? F extends FirstDifference
    ? Omit<F, 'runs' | 'correspondence' | 'outputs' | 'says'>
    : never
  : never;

/** What a hunt works with. */
export interface HuntGround {
  readonly sides: AlignedSides;
  readonly reference: ComparedSide;
  readonly other: ComparedSide;
  readonly runs: SideRuns;
  readonly lifetimes: Lifetimes;
  readonly mostBytes: number;
  /** whether only a second run of a session differs */
  readonly isLate: boolean;
  /** share by which outputs differ as they are */
  readonly share: number;
  readonly bytesOf: (name: string) => number;
}

export const exact = { absolute: 0, relative: 0, outliers: 0, because: 'nothing is rounded' };

/** Whether a part's inputs and outputs are there, as numbers: nothing else can be fed. */
export function isFeasible({ inputs, outputs }: Part, values: Tensors): boolean {
  const isThere = (name: string) => values[name] !== undefined && values[name].dtype !== 'string';
  return inputs.every(isThere) && outputs.every(isThere);
}

/** Both sides' inputs, equal in value: of float16 and float32 both are given what float16 can hold. */
export function feedsOf(
  parts: readonly Part[],
  values: Tensors,
  seen: Tensors,
): { feeds: Tensors; otherFeeds: Tensors } {
  const feeds: Record<string, Tensor> = {};
  const otherFeeds: Record<string, Tensor> = {};
  for (const name of new Set(parts.flatMap(({ inputs }) => inputs))) {
    const value = values[name]!;
    const dtype = seen[name]?.dtype ?? value.dtype;
    otherFeeds[name] = asDtype(value, dtype);
    feeds[name] = asDtype(otherFeeds[name], value.dtype);
  }
  return { feeds, otherFeeds };
}

export function pairsOf({ results, otherName }: AlignedSides, right: Tensors, wrong: Tensors): TensorPair[] {
  return [...results].flatMap((name) => {
    const [a, b] = [right[name], wrong[name]];
    return a && b && a.dtype !== 'string' ? [pairOf(name, otherName(name), a, b, exact)] : [];
  });
}

export function largestShare(pairs: readonly TensorPair[]): number {
  return Math.max(0, ...pairs.map(({ difference: { share } }) => share));
}

export function nodeOf(sides: AlignedSides, { step }: JudgedStep): NodeFacts {
  return sides.reference.facts(step.reference.at(-1)!);
}
