import type { Tensor } from '../../../src/machine/vision/face/feeding.ts';
import { pairRows } from './pair-rows.ts';
import { apart, magnitudesOf, valueAt } from './tensor-values.ts';

type Tensors = Readonly<Record<string, Tensor>>;

export interface OutputDifference {
  /** largest |a − b| over all values of all outputs; null if the outputs have different shapes */
  readonly largest: number | null;
  /** the same, each difference as a share of the values that it lies among; null as above */
  readonly largestShare: number | null;
}

/**
 * Two backends agree if no value differs by more than this share of those that it lies among; summing float32 in another order
 * differs by far less.
 */
const toleratedShare = 0.01;

/**
 * Compares the outputs of two backends for one input. NaN equals NaN; NaN against a number is a difference of
 * Infinity. Detections in a list by score are compared one by one, whichever order close ones have.
 */
export function compareOutputs(a: Tensors, b: Tensors): OutputDifference {
  const isOfOneShape = Object.entries(a).every(([name, { shape }]) => b[name]?.shape.join() === shape.join());
  if (!isOfOneShape) return { largest: null, largestShare: null };
  const pairOf = pairRows(a, b, toleratedShare);
  let largest = 0;
  let largestShare = 0;
  for (const [name, tensor] of Object.entries(a)) {
    let magnitudeAt: ((i: number) => number) | null = null;
    for (let i = 0; i < tensor.data.length; i++) {
      const other = pairOf(name, i);
      const difference = other < 0 ? 0 : apart(valueAt(tensor, i), valueAt(b[name]!, other));
      if (difference === 0) continue;
      magnitudeAt ??= magnitudesOf(tensor);
      largest = Math.max(largest, difference);
      largestShare = Math.max(largestShare, difference / magnitudeAt(i));
    }
  }
  return { largest, largestShare };
}

export function outputsAgree({ largestShare }: OutputDifference): boolean {
  return largestShare !== null && largestShare <= toleratedShare;
}
