import { create } from '@bufbuild/protobuf';
import { FlatTensorDataSchema, FlatTensorSchema, type FlatTensor } from '../../gen/service/mlmodel/v1/mlmodel_pb.ts';
import type { Tensor, TensorData, TensorDtype } from '../../machine/vision/face/feeding.ts';

type Case = NonNullable<FlatTensor['tensor']['case']>;

/** How the numbers of a dtype travel: the field that holds them, and the array that they are there (little-endian). */
const wire = {
  int8: { field: 'int8Tensor', array: Int8Array },
  uint8: { field: 'uint8Tensor', array: Uint8Array },
  int16: { field: 'int16Tensor', array: Uint32Array },
  uint16: { field: 'uint16Tensor', array: Uint32Array },
  int32: { field: 'int32Tensor', array: Int32Array },
  uint32: { field: 'uint32Tensor', array: Uint32Array },
  int64: { field: 'int64Tensor', array: BigInt64Array },
  uint64: { field: 'uint64Tensor', array: BigUint64Array },
  float32: { field: 'floatTensor', array: Float32Array },
  float64: { field: 'doubleTensor', array: Float64Array },
} as const satisfies Partial<Record<TensorDtype, { field: Case; array: unknown }>>;

type WireDtype = keyof typeof wire;

const dtypeOf = Object.fromEntries(Object.entries(wire).map(([dtype, { field }]) => [field, dtype])) as Readonly<
  Record<Case, WireDtype>
>;

/** A tensor as the machine's model service takes it, bit for bit. @throws TypeError for a dtype that it has no field for */
export function toFlatTensor({ dtype, shape, data }: Tensor): FlatTensor {
  if (!isWireDtype(dtype)) throw new TypeError(`The machine's model service takes no ${dtype} tensors.`);
  const { field } = wire[dtype];
  const numbers = dtype === 'int16' || dtype === 'uint16' ? Uint32Array.from(data as Uint16Array) : data;
  const bytes = new Uint8Array(numbers.buffer as ArrayBuffer, numbers.byteOffset, numbers.byteLength);
  const value = create(FlatTensorDataSchema, { data: bytes });
  return create(FlatTensorSchema, { shape: shape.map(BigInt), tensor: { case: field, value } });
}

/** A tensor as the machine's model service gave it. @throws TypeError where its shape and its numbers do not agree */
export function fromFlatTensor(name: string, flat: FlatTensor): Tensor {
  const shape = flat.shape.map(Number);
  if (flat.tensor.case === undefined) throw new TypeError(`Tensor "${name}" has no numbers.`);
  const dtype = dtypeOf[flat.tensor.case];
  const data = numbersOf(dtype, flat.tensor.value.data);
  const count = shape.reduce((product, size) => product * size, 1);
  if (data.length !== count) {
    throw new TypeError(`Tensor "${name}" of shape [${shape.join(', ')}] has ${data.length} numbers, not ${count}.`);
  }
  return { dtype, shape, data };
}

function numbersOf(dtype: WireDtype, bytes: Uint8Array): TensorData {
  const copy = bytes.slice().buffer; // aligned, which a piece of a message seldom is
  switch (dtype) {
    case 'int16':
      return Int16Array.from(new Uint32Array(copy));
    case 'uint16':
      return Uint16Array.from(new Uint32Array(copy));
    default:
      return new wire[dtype].array(copy);
  }
}

function isWireDtype(dtype: TensorDtype): dtype is WireDtype {
  return Object.hasOwn(wire, dtype);
}
