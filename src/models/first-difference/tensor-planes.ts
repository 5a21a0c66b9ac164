import { tensorToFloat64 } from '../../machine/vision/face/feeding.ts';
import type { TensorPair } from './first-difference.ts';

/** One plane of a tensor on both sides, as grey levels for a picture. */
export interface TensorPlanes {
  /** indices before the plane's two axes */
  readonly at: readonly number[];
  readonly heightPx: number;
  readonly widthPx: number;
  /** grey levels 0..255 of the reference, row by row; both on one scale, from `range[0]` to `range[1]` */
  readonly reference: Uint8ClampedArray<ArrayBuffer>;
  readonly other: Uint8ClampedArray<ArrayBuffer>;
  /** 255 is the largest difference of the plane */
  readonly difference: Uint8ClampedArray<ArrayBuffer>;
  readonly range: readonly [number, number];
}

/**
 * Cuts the plane of the largest difference out of two tensors: their last two axes, or one row of fewer. Values that are no
 * numbers are black on their side, and white in the difference where the other's is one.
 * @returns null where shapes differ or there are no numbers
 */
export function planesOf({ reference, other, difference }: TensorPair): TensorPlanes | null {
  const [a, b] = [tensorToFloat64(reference), tensorToFloat64(other)];
  const { shape } = reference;
  if (!a || !b || a.length === 0 || a.length !== b.length) return null;
  const [widthPx, heightPx] = [shape.at(-1) ?? 1, shape.at(-2) ?? 1];
  const at = difference.at.slice(0, Math.max(0, shape.length - 2));
  const plane = at.reduce((place, index, axis) => place * shape[axis]! + index, 0);
  const cut = (values: Float64Array) => values.subarray(plane * widthPx * heightPx, (plane + 1) * widthPx * heightPx);
  const [here, there] = [cut(a), cut(b)];
  const finite = [...here, ...there].filter(Number.isFinite);
  const low = finite.reduce((least, value) => Math.min(least, value), finite[0] ?? 0);
  const high = finite.reduce((most, value) => Math.max(most, value), low);
  const apart = here.map((value, k) => (Object.is(value, there[k]) ? 0 : Math.abs(value - there[k]!)));
  const most = apart.reduce((largest, value) => (Number.isFinite(value) ? Math.max(largest, value) : largest), 0);
  const grey = (values: Float64Array, from: number, to: number) =>
    Uint8ClampedArray.from(values, (value) => (to > from ? (255 * (value - from)) / (to - from) : 0));
  const levels = grey(apart, 0, most);
  for (const [k, value] of apart.entries()) if (!Number.isFinite(value)) levels[k] = 255;
  return {
    at,
    heightPx,
    widthPx,
    reference: grey(here, low, high),
    other: grey(there, low, high),
    difference: levels,
    range: [low, high],
  };
}
