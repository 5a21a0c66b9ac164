/** Element types of the ONNX tensors that models meet in practice, named as ONNX Runtime names them. */
export type TensorDtype =
  | 'float32'
  | 'float16'
  | 'float64'
  | 'uint8'
  | 'int8'
  | 'uint16'
  | 'int16'
  | 'uint32'
  | 'int32'
  | 'uint64'
  | 'int64'
  | 'bool'
  | 'string';

/** What a model declares of one input or output. A size of -1 is dynamic; `symbols` keeps its name ("batch"). */
export interface TensorInfo {
  readonly name: string;
  readonly dtype: TensorDtype;
  readonly shape: readonly number[];
  readonly symbols: readonly (string | null)[];
  /** only for tensors of scaled integers; the machine neither quantizes inputs nor dequantizes outputs */
  readonly quantization?: Quantization;
}

/** real = scale · (stored − zeroPoint), one pair for all or one a channel. */
export interface Quantization {
  readonly scale: readonly number[];
  readonly zeroPoint: readonly number[];
}

export type TensorData =
  | Float32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array;

/** A dense tensor in row-major order. float16 travels as its bits in a Uint16Array; bool as a Uint8Array of 0 and 1. */
export interface Tensor {
  readonly dtype: TensorDtype;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

interface TensorArray {
  new (length: number): TensorData;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): TensorData;
  readonly BYTES_PER_ELEMENT: number;
}

/** How an element lies in memory; a string has no bytes of its own. */
export const tensorArrays: Readonly<Record<TensorDtype, TensorArray>> = {
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
