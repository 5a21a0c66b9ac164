import type { Tensor, TensorData, TensorDtype } from '../../vision/tensor.ts';

type TensorArray = (new (buffer: ArrayBuffer, byteOffset: number, length: number) => TensorData) & {
  readonly BYTES_PER_ELEMENT: number;
};

/** How an element lies in memory; a string has no bytes of its own. */
const arrays: Readonly<Record<TensorDtype, TensorArray>> = {
  float32: Float32Array,
  float16: Uint16Array,
  float64: Float64Array,
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  bool: Uint8Array,
  string: Uint8Array,
};

export function elementBytes(dtype: TensorDtype): number {
  return arrays[dtype].BYTES_PER_ELEMENT;
}

/** The memory of a tensor's values; shared, not copied. */
export function bytesOf({ data }: Tensor): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** A tensor of bytes as they lie in memory, which it takes over. */
export function tensorOfBytes(dtype: TensorDtype, shape: readonly number[], bytes: Uint8Array): Tensor {
  const count = bytes.length / elementBytes(dtype);
  return { dtype, shape, data: new arrays[dtype](bytes.buffer as ArrayBuffer, bytes.byteOffset, count) };
}
