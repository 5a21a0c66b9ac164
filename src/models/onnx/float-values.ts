import type { TensorProto } from '../../gen/onnx_pb.ts';
import { onnxType } from './dtypes.ts';

/**
 * Reads the values of a small float32 tensor.
 * @param tensor a weight or a constant; undefined: there is none
 * @param most how many values are read at most
 * @returns values in their order; null: another type, too many, or kept elsewhere than in the raw bytes, as few exporters do
 * @example
 * floatValues(undefined, 3); // => null
 */
export function floatValues(tensor: TensorProto | undefined, most: number): readonly number[] | null {
  if (!tensor || tensor.dataType !== onnxType('float32') || tensor.rawData.length === 0) return null;
  const { buffer, byteOffset, byteLength } = tensor.rawData;
  if (byteLength > 4 * most) return null;
  const view = new DataView(buffer, byteOffset, byteLength);
  return Array.from({ length: Math.floor(byteLength / 4) }, (_, at) => view.getFloat32(4 * at, true));
}
