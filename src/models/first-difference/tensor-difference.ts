import { type Tensor, tensorToFloat64 } from '../../machine/vision/face/feeding.ts';
import type { RoundingBound, TensorDifference } from './first-difference.ts';

const none: RoundingBound = { absolute: 0, relative: 0, outliers: 0, because: 'nothing is rounded' };

/**
 * Compares two tensors value by value. NaN equals NaN and an infinity itself; against anything else they are a difference of
 * Infinity. So are tensors of different shapes, as a whole.
 * @param bound how far two values may lie apart before they count as beyond; default not at all
 */
export function differenceOf(reference: Tensor, other: Tensor, bound = none): TensorDifference {
  const [a, b] = [tensorToFloat64(reference), tensorToFloat64(other)];
  const count = a?.length ?? 0;
  if (!a || !b || reference.shape.join() !== other.shape.join()) {
    return { largest: Infinity, share: Infinity, at: [], values: [NaN, NaN], beyond: count, count };
  }
  let largest = 0;
  let place = 0;
  let magnitude = 0;
  let beyond = 0;
  for (let k = 0; k < count; k++) {
    const [x, y] = [a[k]!, b[k]!];
    if (Number.isFinite(x)) magnitude = Math.max(magnitude, Math.abs(x));
    if (Object.is(x, y) || x === y) continue;
    const apart = Math.abs(x - y);
    const difference = Number.isNaN(apart) ? Infinity : apart;
    if (difference > bound.absolute + bound.relative * Math.abs(x) || difference === Infinity) beyond += 1;
    if (difference > largest) [largest, place] = [difference, k];
  }
  return {
    largest,
    share: largest === 0 ? 0 : largest / magnitude,
    at: placeOf(place, reference.shape),
    values: [a[place] ?? NaN, b[place] ?? NaN],
    beyond,
    count,
  };
}

/** Whether more values lie beyond their bound than its outliers. */
export function isBeyond({ beyond, count }: TensorDifference, { outliers }: RoundingBound): boolean {
  return beyond > outliers * count || (count === 0 && beyond > 0);
}

function placeOf(flat: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  let rest = flat;
  for (const size of shape.toReversed()) {
    place.unshift(size === 0 ? 0 : rest % size);
    rest = size === 0 ? 0 : Math.floor(rest / size);
  }
  return place;
}

/** Numbers of a tensor that bounds are made of; non-finite values are left out. */
export interface TensorSize {
  readonly largest: number;
  /** square root of the mean square */
  readonly rms: number;
  /** standard deviation */
  readonly spread: number;
}

export function sizeOf(tensor: Tensor): TensorSize {
  const values = tensorToFloat64(tensor) ?? new Float64Array();
  let [largest, sum, squares, count] = [0, 0, 0, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    largest = Math.max(largest, Math.abs(value));
    sum += value;
    squares += value * value;
    count += 1;
  }
  if (count === 0) return { largest: 0, rms: 0, spread: 0 };
  const mean = sum / count;
  return { largest, rms: Math.sqrt(squares / count), spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
