import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import * as ort from 'onnxruntime-web';
import { describe, expect, it } from 'vitest';
import { brightestPixelDetector } from '../../../tests/models.ts';
import { AttributeProtoSchema, GraphProtoSchema, ModelProtoSchema, NodeProtoSchema } from '../../gen/onnx_pb.ts';
import { decodeModel, dropUnusedInitializers, GraphBuilder, renameTensor } from './edit-model.ts';
import { encodeModel } from './encode-model.ts';

async function run(bytes: Uint8Array, feeds: Record<string, ort.Tensor>): Promise<Record<string, number[]>> {
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const outputs = await session.run(feeds);
  await session.release();
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { data }]) => [name, Array.from(data as Float32Array)]),
  );
}

function doubled(): GraphBuilder {
  const build = new GraphBuilder();
  const x = build.input('x', 'float32', [1, 2]);
  build.output('y', build.add('Mul', [x, build.floats([], [2])]), 'float32', [1, 2]);
  return build;
}
const header = { graphName: 'g', producer: 'p', opset: 18 };
const x = new ort.Tensor('float32', [3, 4], [1, 2]);

describe('GraphBuilder', () => {
  it('builds a model that the runtime executes', async () => {
    expect(await run(doubled().build(header), { x })).toEqual({ y: [6, 8] });
  });

  it('adds nodes with several outputs', async () => {
    const build = new GraphBuilder();
    const [most, at] = build.addMany('TopK', [build.input('x', 'float32', [1, 2]), build.ints([1], [1])], 2);
    build.output('most', most!, 'float32', [1, 1]);
    build.output('at', build.add('Cast', [at!], { to: { int: 1 } }), 'float32', [1, 1]);
    expect(await run(build.build(header), { x })).toEqual({ most: [4], at: [1] });
  });

  it('writes constants as nodes where initializers would be inputs, before IR version 4', async () => {
    const build = new GraphBuilder(undefined, { opset: 7, irVersion: 3 });
    build.output(
      'y',
      build.add('Mul', [build.input('x', 'float32', [1, 2]), build.floats([], [2])]),
      'float32',
      [1, 2],
    );
    const bytes = build.build({ ...header, opset: 7 });
    expect(decodeModel(bytes)).toMatchObject({ irVersion: 3n, graph: { initializer: [] } });
    expect(await run(bytes, { x })).toEqual({ y: [6, 8] });
  });

  it('gives no name that the graph has', () => {
    const { graph } = decodeModel(doubled().build(header));
    const names = graph.node.flatMap(({ input, output }) => [...input, ...output]);
    expect(names).not.toContain(new GraphBuilder(graph).floats([], [1]));
  });

  it('refuses an initializer whose shape does not hold its values', () => {
    expect(() => new GraphBuilder().floats([2, 2], [1, 2, 3])).toThrow('3 values for the shape [2, 2]');
  });

  it.each(['uint8', 'float32'] as const)('computes the brightest pixel of a %s image of any size', async (dtype) => {
    const values = new Array<number>(2 * 4 * 3).fill(0);
    values[(1 * 4 + 2) * 3] = dtype === 'uint8' ? 153 : 0.6; // row 1, column 2
    const image = new ort.Tensor(
      dtype,
      dtype === 'uint8' ? Uint8Array.from(values) : Float32Array.from(values),
      [1, 2, 4, 3],
    );
    const { location, score } = await run(brightestPixelDetector({ input: { dtype } }), { image });
    expect(location).toEqual([0.5, 0.5, 1, 0.75]);
    expect(score![0]).toBeCloseTo(0.2, 6);
  });
});

describe('editing', () => {
  it('renames a tensor at the boundary and in every node', async () => {
    const model = decodeModel(doubled().build(header));
    renameTensor(model.graph, 'x', 'image');
    renameTensor(model.graph, 'y', 'location');
    expect(await run(encodeModel(model), { image: x })).toEqual({ location: [6, 8] });
  });

  it('renames a tensor in the branches that see it, and not where a branch has its own of that name', () => {
    const node = (input: string, output: string) =>
      create(NodeProtoSchema, { opType: 'Identity', input: [input], output: [output] });
    const branch = (name: string, ...nodes: ReturnType<typeof node>[]) =>
      create(AttributeProtoSchema, { name, g: create(GraphProtoSchema, { node: nodes }) });
    const { graph } = decodeModel(doubled().build(header));
    const seen = branch('then_branch', node('x', 'inner'));
    const own = branch('else_branch', node('c', 'x'), node('x', 'inner'));
    graph.node.push(create(NodeProtoSchema, { opType: 'If', input: ['c'], output: ['z'], attribute: [seen, own] }));
    renameTensor(graph, 'x', 'image');
    const inputsOf = ({ g }: typeof seen) => g!.node.flatMap(({ input }) => input);
    expect([inputsOf(seen), inputsOf(own)]).toEqual([['image'], ['c', 'x']]);
  });

  it('drops the initializers that nothing reads, and no others', async () => {
    const build = doubled();
    build.floats([1], [1]);
    const model = decodeModel(build.build(header));
    expect(dropUnusedInitializers(model.graph)).toBe(1);
    expect(await run(encodeModel(model), { x })).toEqual({ y: [6, 8] });
  });

  it('carries weights in typed fields, which the schema leaves out, through an edit', async () => {
    const model = decodeModel(doubled().build(header));
    const [factor] = model.graph.initializer;
    factor!.rawData = new Uint8Array();
    // float_data = 4, packed
    const data = new BinaryWriter().uint32(4).float(5).finish();
    factor!.$unknown = [{ no: 4, wireType: WireType.LengthDelimited, data }];
    const edited = decodeModel(encodeModel(model));
    edited.producerName = 'edited';
    expect(await run(encodeModel(edited), { x })).toEqual({ y: [15, 20] });
  });

  it('refuses bytes without a graph', () => {
    expect(() => decodeModel(toBinary(ModelProtoSchema, create(ModelProtoSchema)))).toThrow('no graph');
  });
});
