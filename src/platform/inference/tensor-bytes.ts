import { type Tensor, tensorArrays, type TensorDtype } from '../../machine/vision/face/feeding.ts';

export function elementBytes(dtype: TensorDtype): number {
  return tensorArrays[dtype].BYTES_PER_ELEMENT;
}

/** The memory of a tensor's values; shared, not copied. */
export function bytesOf({ data }: Tensor): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** A tensor of bytes as they lie in memory, which it takes over. */
export function tensorOfBytes(dtype: TensorDtype, shape: readonly number[], bytes: Uint8Array): Tensor {
  const count = bytes.length / elementBytes(dtype);
  return { dtype, shape, data: new tensorArrays[dtype](bytes.buffer as ArrayBuffer, bytes.byteOffset, count) };
}
