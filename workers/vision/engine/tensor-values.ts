import { float16BitsToNumber, type Tensor } from '../../../src/machine/vision/face/feeding.ts';

export function valueAt({ dtype, data }: Tensor, i: number): number {
  return dtype === 'float16' ? float16BitsToNumber(data[i] as number) : Number(data[i]);
}

/** |a − b|: 0 for NaN and NaN, Infinity for NaN and a number. */
export function apart(a: number, b: number): number {
  if (a === b || Object.is(a, b)) return 0;
  return Number.isNaN(a - b) ? Infinity : Math.abs(a - b);
}

/**
 * How large the values around each value of a tensor are, at least 1: a tensor may hold coordinates of hundreds of pixels beside scores
 * up to 1. So a value is measured by its own row and by its own column, along each axis, and the smallest of those counts.
 */
export function magnitudesOf(tensor: Tensor): (i: number) => number {
  const { shape, data } = tensor;
  const count = data.length;
  const axes = shape
    .map((size, axis) => ({
      size,
      stride: shape.slice(axis + 1).reduce((product, side) => product * side, 1),
      largest: new Float64Array(size),
    }))
    .filter(({ size }) => size < count); // a value alone says nothing of those around it
  let largest = 0;
  for (let i = 0; i < count; i++) {
    const value = Math.abs(valueAt(tensor, i));
    if (!Number.isFinite(value)) continue;
    largest = Math.max(largest, value);
    for (const axis of axes) {
      const at = placeOn(axis, i);
      if (value > axis.largest[at]!) axis.largest[at] = value;
    }
  }
  return (i) =>
    Math.max(
      1,
      axes.reduce((least, axis) => Math.min(least, axis.largest[placeOn(axis, i)]!), largest),
    );
}

function placeOn({ size, stride }: { readonly size: number; readonly stride: number }, i: number): number {
  return Math.floor(i / stride) % size;
}
