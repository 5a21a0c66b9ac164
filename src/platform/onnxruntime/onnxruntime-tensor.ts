import type * as Ort from 'onnxruntime-web';
import type { Tensor, TensorData, TensorDtype, TensorInfo } from '../../machine/vision/face/feeding.ts';

/** ONNX Runtime's view of a tensor; shares its memory. */
export function toOrtTensor(ort: typeof Ort, { dtype, data, shape }: Tensor): Ort.Tensor {
  const Constructor = ort.Tensor as unknown as new (
    dtype: string,
    data: TensorData,
    dims: readonly number[],
  ) => Ort.Tensor;
  return new Constructor(dtype, data, shape);
}

/** A tensor of our own kind; shares its memory. float16 arrives as Float16Array where the browser has one. */
export function fromOrtTensor({ type, data, dims }: Ort.Tensor): Tensor {
  if (Array.isArray(data)) return { dtype: 'string', shape: dims, data: new Uint8Array(0) };
  const view = data as TensorData;
  return {
    dtype: type as TensorDtype,
    shape: dims,
    data: type === 'float16' ? new Uint16Array(view.buffer, view.byteOffset, view.byteLength / 2) : view,
  };
}

/** What a loaded session declares of one value; a symbolic size is -1 with its name kept, as is one that is no size. */
export function tensorInfoOf(value: Ort.InferenceSession.ValueMetadata): TensorInfo {
  if (!value.isTensor) return { name: value.name, dtype: 'string', shape: [], symbols: [] };
  return {
    name: value.name,
    dtype: value.type as TensorDtype,
    shape: value.shape.map((size) => (typeof size === 'number' && size > 0 ? size : -1)),
    symbols: value.shape.map((size) => (typeof size === 'string' ? size : null)),
  };
}
