import type { TensorProto } from '../gen/onnx_pb.ts';
import { onnxType } from './dtypes.ts';

/**
 * The values of a small float32 tensor in their order; null where it is another type, has more than `most` values, or
 * keeps them elsewhere than in the raw bytes, which few exporters do.
 */
export function floatValues(tensor: TensorProto | undefined, most: number): readonly number[] | null {
  if (!tensor || tensor.dataType !== onnxType('float32') || tensor.rawData.length === 0) return null;
  const { buffer, byteOffset, byteLength } = tensor.rawData;
  if (byteLength > 4 * most) return null;
  const view = new DataView(buffer, byteOffset, byteLength);
  return Array.from({ length: Math.floor(byteLength / 4) }, (_, at) => view.getFloat32(4 * at, true));
}
