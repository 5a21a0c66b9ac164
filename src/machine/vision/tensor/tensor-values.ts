import type { Tensor } from './tensor.ts';
import { float16BitsToNumber } from './float16.ts';

/**
 * Converts every element of a tensor to float64, row by row. float32 is widened without rounding (0.7f becomes
 * 0.699999988…); integers beyond 2^53 lose their last digits, as on the machine.
 * @param tensor a tensor of any element type
 * @returns one number an element; null: the elements are no numbers (strings)
 * @example
 * [...tensorToFloat64({ dtype: 'int64', shape: [2], data: BigInt64Array.of(3n, -4n) })]; // => [3, -4]
 * tensorToFloat64({ dtype: 'string', shape: [0], data: new Uint8Array() }); // => null
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

/**
 * Writes a shape for messages.
 * @param shape sizes, outermost first; below 0: dynamic
 * @returns "1×3×?×320"; "?" is a dynamic size; "scalar" for no sizes
 * @example
 * shapeText([1, 3, -1, 320]); // => '1×3×?×320'
 * shapeText([]); // => 'scalar'
 */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? 'scalar' : shape.map((size) => (size < 0 ? '?' : size)).join('×');
}
