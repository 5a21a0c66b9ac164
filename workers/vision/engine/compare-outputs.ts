import { float16BitsToNumber } from '../../../src/vision/inference/float16.ts';
import type { Tensor } from '../../../src/vision/tensor.ts';

export interface OutputDifference {
  /** largest |a − b| over all values of all outputs; null if the outputs have different shapes */
  readonly largest: number | null;
  /** largest |a|, to which the difference is relative */
  readonly magnitude: number;
}

/**
 * Compares the outputs of two backends for one input. NaN equals NaN; NaN against a number is a difference of
 * Infinity.
 */
export function compareOutputs(
  a: Readonly<Record<string, Tensor>>,
  b: Readonly<Record<string, Tensor>>,
): OutputDifference {
  let largest: number | null = 0;
  let magnitude = 0;
  for (const [name, tensor] of Object.entries(a)) {
    const other = b[name];
    if (other?.shape.join() !== tensor.shape.join()) {
      largest = null;
      continue;
    }
    for (let i = 0; i < tensor.data.length; i++) {
      const [x, y] = [valueAt(tensor, i), valueAt(other, i)];
      if (Number.isFinite(x)) magnitude = Math.max(magnitude, Math.abs(x));
      if (largest === null || Object.is(x, y)) continue;
      const difference = Math.abs(x - y);
      largest = Math.max(largest, Number.isNaN(difference) ? Infinity : difference);
    }
  }
  return { largest, magnitude };
}

/**
 * Two backends agree if they differ by less than this share of the largest value; summing float32 in another order
 * differs by far less.
 */
const toleranceOfMagnitude = 0.01;

export function outputsAgree({ largest, magnitude }: OutputDifference): boolean {
  return largest !== null && largest <= toleranceOfMagnitude * Math.max(1, magnitude);
}

function valueAt({ dtype, data }: Tensor, i: number): number {
  return dtype === 'float16' ? float16BitsToNumber(data[i] as number) : Number(data[i]);
}
