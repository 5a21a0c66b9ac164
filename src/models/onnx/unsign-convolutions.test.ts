import { create, type UnknownField } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { runFitted } from '../../../tests/fit/run-fitted.ts';
import { TensorProto_DataType as OnnxType, TensorProtoSchema } from '../../gen/onnx_pb.ts';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { encodeModel } from './encode-model.ts';
import { signedConvolutions, unsignConvolutions } from './unsign-convolutions.ts';

const pixels = Uint8Array.of(3, 250, 7, 128);
const weights = Int8Array.of(-128, 5, 127, -3);
const xZeroPoint = 9;

/** One convolution of a cell from four channels to one, with a zero point of its weights or none. */
function convolution(zeroPoint: number | null): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  const x = build.input('image', 'uint8', [1, 4, 1, 1]);
  const w = build.constant('int8', [1, 4, 1, 1], weights);
  const inputs = [x, w, build.constant('uint8', [], Uint8Array.of(xZeroPoint))];
  if (zeroPoint !== null) inputs.push(build.constant('int8', [], Int8Array.of(zeroPoint)));
  build.output('y', build.add('Cast', [build.add('ConvInteger', inputs)], { to: { int: 1 } }), 'float32', [1, 1, 1, 1]);
  return build.build({ graphName: 'g', producer: 'p', opset: 18 });
}

const sum = (zeroPoint: number) =>
  weights.reduce((total, weight, k) => total + (pixels[k]! - xZeroPoint) * (weight - zeroPoint), 0);

async function run(model: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const { y } = await runFitted(model, { dtype: 'uint8', shape: [1, 4, 1, 1], data: pixels });
  return y!.values;
}

describe('int8 weights of integer convolutions', () => {
  it.each([null, 0, -7, 100])('become uint8 with the same sums, zero point %s', async (zeroPoint) => {
    const model = decodeModel(convolution(zeroPoint));
    expect(signedConvolutions(model.graph)).toBe(1);
    expect(unsignConvolutions(model.graph)).toBe(1);
    expect(signedConvolutions(model.graph)).toBe(0);
    expect(model.graph.initializer.every(({ dataType }) => dataType === OnnxType.UINT8)).toBe(true);
    expect(await run(encodeModel(model))).toEqual([sum(zeroPoint ?? 0)]);
  });

  it('reads a zero point that is written as numbers', async () => {
    const model = decodeModel(convolution(1));
    const { initializer } = model.graph;
    const numbers = new BinaryWriter().fork().int32(-7).join().finish();
    const field: UnknownField = { no: 5, wireType: WireType.LengthDelimited, data: numbers };
    const { name } = initializer[2]!;
    initializer[2] = create(TensorProtoSchema, { name, dataType: OnnxType.INT8 });
    initializer[2].$unknown = [field];
    unsignConvolutions(model.graph);
    expect(await run(encodeModel(model))).toEqual([sum(-7)]);
  });

  it('stay where the zero point is computed', () => {
    const model = decodeModel(convolution(3));
    const [node] = model.graph.node;
    node!.input[3] = 'computed';
    expect(unsignConvolutions(model.graph)).toBe(0);
    expect(node!.input[3]).toBe('computed');
  });
});
