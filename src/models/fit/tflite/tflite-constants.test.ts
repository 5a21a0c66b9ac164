import { expect, it } from 'vitest';
import { tinyTflite, type TinyTensor } from '../../../../tests/tflite-models.ts';
import { readQuantisations } from '../../tflite/read-graph.ts';
import type { StructureNode } from '../structure/structure-node.ts';
import { constantValues } from './tflite-constants.ts';

const bytesOf = (values: ArrayBufferView): number[] => [
  ...new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
];
const tensor = (name: string, type: number, data?: ArrayBufferView, more: Partial<TinyTensor> = {}): TinyTensor => ({
  name,
  type,
  shape: [3],
  ...(data && { data: bytesOf(data) }),
  ...more,
});
const steps = (scale: number, zeroPoint: number) => ({ quantization: { scale: [scale], zeroPoint: [zeroPoint] } });

const bytes = tinyTflite({
  tensors: [
    tensor('float32', 0, Float32Array.of(0.5, -2, 3)),
    tensor('float16', 1, Uint16Array.of(0x3800, 0xc000, 0x4200)),
    tensor('dequantised', 0),
    tensor('int8', 9, Int8Array.of(-128, 0, 127), steps(0.5, -3)),
    tensor('uint8', 3, Uint8Array.of(0, 128, 255), steps(0.25, 128)),
    tensor('channels', 9, Int8Array.of(1, 2, 3), { quantization: { scale: [1, 2, 3], zeroPoint: [0, 0, 0] } }),
    tensor('int32', 2, Int32Array.of(1, 2, 3), steps(0.5, 0)),
    tensor('layer', 0),
  ],
  operators: [],
  inputs: [7],
  outputs: [2],
});
const dequantise = { opType: 'DEQUANTIZE', input: ['float16'], output: ['dequantised'] } as unknown as StructureNode;

it.each<[string, readonly number[] | null]>([
  ['float32', [0.5, -2, 3]],
  ['float16', [0.5, -2, 3]],
  ['dequantised', [0.5, -2, 3]],
  ['int8', [-62.5, 1.5, 65]],
  ['uint8', [-32, 0, 31.75]],
  ['channels', null], // a scale a channel
  ['int32', null],
  ['layer', null],
  ['none', null],
])('reads %s as the numbers that it stands for', (name, values) => {
  expect(constantValues(bytes, [dequantise], readQuantisations(bytes))(name)).toEqual(values);
});
