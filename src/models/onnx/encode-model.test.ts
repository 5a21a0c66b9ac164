import { create, fromBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import {
  AttributeProto_AttributeType as AttributeType,
  AttributeProtoSchema,
  FunctionProtoSchema,
  GraphProtoSchema,
  ModelProtoSchema,
  TensorProtoSchema,
} from '../../gen/onnx_pb.ts';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { encodeModel } from './encode-model.ts';

const unknown = (no: number, text: string) => ({
  no,
  wireType: WireType.LengthDelimited,
  data: new BinaryWriter().string(text).finish(),
});

/** A model with something in each place that the schema leaves out: sparse weights, training information, typed payloads. */
function modelWithUnknowns() {
  const build = new GraphBuilder();
  const x = build.input('x', 'float32', [1, 2]);
  build.output('y', build.add('Mul', [x, build.floats([2], [2, 3])]), 'float32', [1, 2]);
  const model = decodeModel(build.build({ graphName: 'g', producer: 'p', opset: 18, domains: { 'com.example': 1 } }));
  const { graph } = model;
  model.$unknown = [unknown(20, 'training information')];
  graph.$unknown = [unknown(15, 'a sparse initializer'), unknown(14, 'quantization')];
  const inner = create(GraphProtoSchema, {
    name: 'branch',
    initializer: [create(TensorProtoSchema, { name: 'in a branch' })],
  });
  inner.$unknown = [unknown(15, 'sparse, in a branch')];
  const typed = create(TensorProtoSchema, { name: 'typed', dataType: 1, dims: [1n] });
  typed.$unknown = [unknown(4, 'abcd')];
  graph.initializer.push(typed);
  const branch = create(AttributeProtoSchema, { name: 'then_branch', type: AttributeType.GRAPH, g: inner });
  const sparse = create(AttributeProtoSchema, { name: 'sparse', type: AttributeType.SPARSE_TENSOR });
  sparse.$unknown = [unknown(22, 'a sparse attribute')];
  graph.node[0]!.attribute.push(
    branch,
    sparse,
    create(AttributeProtoSchema, { name: 'value', type: AttributeType.TENSOR, t: typed }),
  );
  graph.node[0]!.$unknown = [unknown(8, 'overload')];
  const inFunction = create(FunctionProtoSchema, { name: 'f', domain: 'com.example' });
  inFunction.$unknown = [unknown(6, 'attribute of a function')];
  model.functions.push(inFunction);
  return model;
}

describe('encodeModel', () => {
  it('loses nothing of a model, known to the schema or not', () => {
    const model = modelWithUnknowns();
    expect(fromBinary(ModelProtoSchema, encodeModel(model))).toEqual(model);
  });

  it('gives the same bytes when read and written again', () => {
    const bytes = encodeModel(modelWithUnknowns());
    expect(encodeModel(decodeModel(bytes))).toEqual(bytes);
  });

  it('keeps the sign of an attribute of −0', () => {
    const build = new GraphBuilder();
    build.output(
      'y',
      build.add('LeakyRelu', [build.input('x', 'float32', [1])], { alpha: { float: -0 } }),
      'float32',
      [1],
    );
    const [node] = decodeModel(build.build({ graphName: 'g', producer: 'p', opset: 18 })).graph.node;
    expect(node!.attribute[0]!.f).toBe(-0);
  });

  it('writes a model without a graph', () => {
    expect(encodeModel(create(ModelProtoSchema, { producerName: 'p' }))).toEqual(Uint8Array.of(0x12, 1, 0x70));
  });

  it('refuses what no file holds, and says how large it would be', () => {
    const model = decodeModel(encodeModel(modelWithUnknowns()));
    // Views of one buffer: nothing as large is made.
    const weights = new Uint8Array(2 ** 30);
    model.graph.initializer = [1, 2].map((k) => create(TensorProtoSchema, { name: `w${k}`, rawData: weights }));
    expect(() => encodeModel(model)).toThrow(/would be 21474\d+ bytes.*2147483647/);
  });
});
