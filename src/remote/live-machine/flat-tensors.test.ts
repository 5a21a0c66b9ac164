import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { FlatTensorSchema } from '../../gen/service/mlmodel/v1/mlmodel_pb.ts';
import type { Tensor } from '../../machine/vision/tensor/tensor.ts';
import { fromFlatTensor, toFlatTensor } from './flat-tensors.ts';

const tensors: readonly Tensor[] = [
  { dtype: 'float32', shape: [1, 3], data: Float32Array.of(0.1, -0, NaN) },
  { dtype: 'float64', shape: [2], data: Float64Array.of(0.1, Infinity) },
  { dtype: 'uint8', shape: [1, 2, 2], data: Uint8Array.of(0, 1, 254, 255) },
  { dtype: 'int8', shape: [2], data: Int8Array.of(-128, 127) },
  { dtype: 'uint16', shape: [2], data: Uint16Array.of(0, 65535) },
  { dtype: 'int16', shape: [2], data: Int16Array.of(-32768, 32767) },
  { dtype: 'uint32', shape: [1], data: Uint32Array.of(2 ** 32 - 1) },
  { dtype: 'int32', shape: [1], data: Int32Array.of(-(2 ** 31)) },
  { dtype: 'uint64', shape: [1], data: BigUint64Array.of(2n ** 64n - 1n) },
  { dtype: 'int64', shape: [1], data: BigInt64Array.of(-(2n ** 63n)) },
  { dtype: 'float32', shape: [], data: Float32Array.of(7) },
  { dtype: 'float32', shape: [0, 4], data: new Float32Array() },
];

describe('tensors on the wire', () => {
  it.each(tensors.map((tensor) => [tensor.dtype, tensor] as const))('%s comes back bit for bit', (_, tensor) => {
    const crossed = fromBinary(FlatTensorSchema, toBinary(FlatTensorSchema, toFlatTensor(tensor)));
    expect(fromFlatTensor('t', crossed)).toEqual(tensor);
  });

  it('is written as the public API has it: a shape of fixed64, a packed list of floats', () => {
    const bytes = toBinary(
      FlatTensorSchema,
      toFlatTensor({ dtype: 'float32', shape: [2], data: Float32Array.of(1, 2) }),
    );
    const shape = [0x0a, 8, 2, 0, 0, 0, 0, 0, 0, 0];
    const floats = [0x52, 10, 0x0a, 8, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
    expect([...bytes]).toEqual([...shape, ...floats]);
  });

  it('takes a piece of a larger memory for that piece alone', () => {
    const data = Float32Array.of(1, 2, 3, 4).subarray(1, 3);
    expect(fromFlatTensor('t', toFlatTensor({ dtype: 'float32', shape: [2], data })).data).toEqual(
      Float32Array.of(2, 3),
    );
  });

  it('refuses what has no field, no numbers, or too few', () => {
    expect(() => toFlatTensor({ dtype: 'bool', shape: [1], data: Uint8Array.of(1) })).toThrow(/no bool tensors/);
    const flat = toFlatTensor({ dtype: 'uint8', shape: [2], data: Uint8Array.of(1, 2) });
    expect(() => fromFlatTensor('t', { ...flat, shape: [3n] })).toThrow('"t" of shape [3] has 2 numbers, not 3');
    expect(() => fromFlatTensor('t', { ...flat, tensor: { case: undefined } })).toThrow('"t" has no numbers');
  });
});
