import type { TensorDtype } from '../../../../machine/vision/face/feeding.ts';
import type { FixedTensor } from '../../structure/family.ts';

/** A tensor of ones; null for a type that such inputs do not have. */
export function ones(dtype: TensorDtype, shape: readonly number[]): FixedTensor | null {
  const count = shape.reduce((product, size) => product * size, 1);
  if (dtype === 'int64') return { dtype, shape, data: new BigInt64Array(count).fill(1n) };
  if (dtype === 'int32') return { dtype, shape, data: new Int32Array(count).fill(1) };
  if (dtype === 'float32') return { dtype, shape, data: new Float32Array(count).fill(1) };
  return null;
}
