import { create } from '@bufbuild/protobuf';
import * as ort from 'onnxruntime-web';
import { describe, expect, it } from 'vitest';
import {
  AttributeProto_AttributeType as AttributeType,
  AttributeProtoSchema,
  GraphProtoSchema,
  NodeProtoSchema,
} from '../../gen/onnx_pb.ts';
import { decodeModel, GraphBuilder, type NodeAttributes } from './edit-model.ts';
import { encodeModel } from './encode-model.ts';
import { raiseOpset } from './raise-opset.ts';

const values = Float32Array.from({ length: 16 }, (_, k) => (k * 7) % 16);

/** One node of an old form on x [1,1,4,4]. */
function oldModel(
  opset: number,
  opType: string,
  attributes: NodeAttributes,
  inputs: (build: GraphBuilder) => string[] = () => [],
) {
  const build = new GraphBuilder(undefined, { opset, irVersion: 4 });
  const x = build.input('x', 'float32', [1, 1, 4, 4]);
  const outputs = build.addMany(opType, [x, ...inputs(build)], opType === 'TopK' ? 2 : 1, attributes);
  build.output('y', outputs[0]!, 'float32', ['a', 'b', 'c', 'd']);
  return build.build({ graphName: 'g', producer: 'p', opset });
}

async function run(bytes: Uint8Array): Promise<{ dims: readonly number[]; data: number[] }> {
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const { y } = await session.run({ x: new ort.Tensor('float32', values, [1, 1, 4, 4]) });
  await session.release();
  return { dims: y!.dims, data: Array.from(y!.data as Float32Array) };
}

const scales = { attribute: 'scales', of: [1, 1, 2, 2] };

function withFloats(bytes: Uint8Array, name: string, floats: number[]): Uint8Array {
  const model = decodeModel(bytes);
  const node = model.graph.node.find(({ opType }) => opType === 'Upsample')!;
  node.attribute.push(create(AttributeProtoSchema, { name, type: AttributeType.FLOATS, floats }));
  return encodeModel(model);
}

const sides = (build: GraphBuilder) => [1, 2, 3, 4].map((value) => build.floats([1], [value / 2]));

describe('raiseOpset', () => {
  it.each([
    ['Slice', oldModel(9, 'Slice', { axes: { ints: [2, 3] }, starts: { ints: [1, 0] }, ends: { ints: [3, -1] } })],
    ['Slice of the first axes', oldModel(7, 'Slice', { starts: { ints: [0, 0, 2] }, ends: { ints: [1, 1, 4] } })],
    ['TopK', oldModel(9, 'TopK', { k: { int: 2 }, axis: { int: 3 } })],
    [
      'Upsample with an attribute',
      withFloats(oldModel(7, 'Upsample', { mode: { string: 'nearest' } }), scales.attribute, scales.of),
    ],
    [
      'Upsample with an input',
      oldModel(9, 'Upsample', { mode: { string: 'linear' } }, (build) => [build.floats([4], scales.of)]),
    ],
    ['BatchNormalization', oldModel(7, 'BatchNormalization', { spatial: { int: 1 } }, sides)],
    ['Softmax', oldModel(9, 'Softmax', { axis: { int: 2 } })],
  ])('lets %s compute the same', async (_, bytes) => {
    const model = decodeModel(bytes);
    expect(raiseOpset(model)).toBeLessThan(10);
    expect(model.opsetImport).toMatchObject([{ version: 10n }]);
    expect(await run(encodeModel(model))).toEqual(await run(bytes));
  });

  it('reaches the branches inside nodes', () => {
    const model = decodeModel(oldModel(9, 'Relu', {}));
    const ints = (name: string, value: bigint) =>
      create(AttributeProtoSchema, { name, type: AttributeType.INTS, ints: [value] });
    const slice = create(NodeProtoSchema, {
      opType: 'Slice',
      input: ['x'],
      output: ['s'],
      attribute: [ints('starts', 0n), ints('ends', 1n)],
    });
    const g = create(GraphProtoSchema, { node: [slice] });
    model.graph.node.push(
      create(NodeProtoSchema, { opType: 'If', attribute: [create(AttributeProtoSchema, { name: 'then_branch', g })] }),
    );
    raiseOpset(model);
    expect(g.node.map(({ opType }) => opType)).toEqual(['Constant', 'Constant', 'Constant', 'Slice']);
    expect(slice.input).toHaveLength(4);
  });

  it('leaves newer models alone', () => {
    const model = decodeModel(oldModel(11, 'Relu', {}));
    const before = encodeModel(model);
    expect(raiseOpset(model)).toBe(11);
    expect(encodeModel(model)).toEqual(before);
  });

  it.each([
    ['a set of other broadcasting', oldModel(6, 'Relu', {}), /Opset 6 is older than 7/],
    ['what is gone', oldModel(7, 'BatchNormalization', { spatial: { int: 0 } }, sides), /spatial=0/],
    ['Scan', oldModel(8, 'Scan', {}), /Scan/],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => raiseOpset(decodeModel(bytes))).toThrow(message);
  });
});
