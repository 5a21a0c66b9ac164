import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import {
  AttributeProto_AttributeType as AttributeType,
  AttributeProtoSchema,
  GraphProtoSchema,
  NodeProtoSchema,
  ValueInfoProtoSchema,
} from '../../gen/onnx_pb.ts';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { pruneGraph } from './prune-graph.ts';

function twoOutputs() {
  const build = new GraphBuilder();
  const x = build.input('x', 'float32', [2]);
  const shared = build.add('Relu', [x]);
  build.output('kept', build.add('Mul', [shared, build.floats([], [2])]), 'float32', [2]);
  build.output('left', build.add('Add', [shared, build.floats([], [3])]), 'float32', [2]);
  return decodeModel(build.build({ graphName: 'g', producer: 'p', opset: 18 })).graph;
}

it('keeps what the outputs need and nothing else', () => {
  const graph = twoOutputs();
  expect(pruneGraph(graph, ['kept'])).toBe(2);
  expect(graph.node.map(({ opType }) => opType)).toEqual(['Relu', 'Mul', 'Identity']);
  expect(graph.initializer).toHaveLength(1);
  expect(graph.output.map(({ name }) => name)).toEqual(['kept']);
});

it('keeps what only a branch inside a node reads', () => {
  const graph = twoOutputs();
  const [relu, , , add] = graph.node;
  const branch = create(GraphProtoSchema, {
    node: [create(NodeProtoSchema, { opType: 'Identity', input: [add!.output[0]!], output: ['inside'] })],
    output: [create(ValueInfoProtoSchema, { name: 'inside' })],
  });
  const attribute = [create(AttributeProtoSchema, { name: 'then_branch', type: AttributeType.GRAPH, g: branch })];
  graph.node.push(create(NodeProtoSchema, { opType: 'If', input: [relu!.output[0]!], output: ['chosen'], attribute }));
  pruneGraph(graph, ['chosen']);
  expect(graph.node.map(({ opType }) => opType)).toEqual(['Relu', 'Add', 'If']);
  expect(graph.initializer).toHaveLength(1);
});

it('takes weights that old models list as inputs away from there, too', () => {
  const graph = twoOutputs();
  for (const { name } of graph.initializer) graph.input.push(create(ValueInfoProtoSchema, { name }));
  pruneGraph(graph, ['kept']);
  expect(graph.input.map(({ name }) => name)).toEqual(['x', graph.initializer[0]!.name]);
});
