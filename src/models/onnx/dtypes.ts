import { TensorProto_DataType as OnnxType } from '../../gen/onnx_pb.ts';
import type { TensorDtype } from '../../machine/vision/face/feeding.ts';

const onnxTypeByDtype: Readonly<Record<TensorDtype, number>> = {
  float32: OnnxType.FLOAT,
  float16: OnnxType.FLOAT16,
  float64: OnnxType.DOUBLE,
  uint8: OnnxType.UINT8,
  int8: OnnxType.INT8,
  uint16: OnnxType.UINT16,
  int16: OnnxType.INT16,
  uint32: OnnxType.UINT32,
  int32: OnnxType.INT32,
  uint64: OnnxType.UINT64,
  int64: OnnxType.INT64,
  bool: OnnxType.BOOL,
  string: OnnxType.STRING,
};

const dtypeByOnnxType = new Map(Object.entries(onnxTypeByDtype).map(([dtype, type]) => [type, dtype as TensorDtype]));

/**
 * Gives ONNX's number of an element type (TensorProto.DataType).
 * @param dtype of a tensor
 * @returns the number
 * @example
 * onnxType('float32'); // => 1
 */
export function onnxType(dtype: TensorDtype): number {
  return onnxTypeByDtype[dtype];
}

/**
 * Gives the element type of one of ONNX's numbers.
 * @param type TensorProto.DataType
 * @returns undefined for types that no vision model has at its boundary: complex, bfloat16, 8-bit floats
 * @example
 * [dtypeOf(7), dtypeOf(16)]; // => ['int64', undefined]
 */
export function dtypeOf(type: number): TensorDtype | undefined {
  return dtypeByOnnxType.get(type);
}
