import type { Tensor } from '../tensor.ts';
import { float16BitsToNumber } from './float16.ts';

/**
 * Converts every element to float64, row by row; null if the elements are no numbers (strings). float32 is widened
 * without rounding (0.7f becomes 0.699999988…); integers beyond 2^53 lose their last digits, as on the machine.
 */
export function tensorToFloat64(tensor: Tensor): Float64Array | null {
  const { data, dtype } = tensor;
  if (dtype === 'string') return null;
  if (data instanceof Float64Array) return data;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const values = new Float64Array(data.length);
    for (let i = 0; i < values.length; i++) values[i] = Number(data[i]);
    return values;
  }
  if (dtype === 'float16') return Float64Array.from(data, float16BitsToNumber);
  return new Float64Array(data);
}

/** Writes a shape for messages: "1×3×?×320"; "?" is a dynamic size. */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? 'scalar' : shape.map((size) => (size < 0 ? '?' : size)).join('×');
}
