import { expect, it } from 'vitest';
import { create } from '@bufbuild/protobuf';
import { NodeProtoSchema } from '../../gen/onnx_pb.ts';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { elementTypes } from './element-types.ts';

const [float32, uint8, int64, bool, float64] = [1, 2, 7, 9, 11];

it('follows types from inputs, weights and casts to what operators make of them', () => {
  const build = new GraphBuilder();
  const picture = build.input('picture', 'uint8', [1, 3, 4, 4]);
  const half = build.floats([], [0.5]);
  const real = build.add('Cast', [picture], { to: { int: float64 } });
  const isHigh = build.add('Greater', [real, build.add('CastLike', [half, real])]);
  const [value, index] = build.addMany('TopK', [real, build.ints([1], [2])], 2) as [string, string];
  const wanted: readonly (readonly [string, number])[] = [
    [picture, uint8],
    [half, float32],
    [real, float64],
    [build.add('Transpose', [real]), float64],
    [isHigh, bool],
    [build.add('Where', [isHigh, half, half]), float32],
    [build.add('Shape', [real]), int64],
    [value, float64],
    [index, int64],
    [build.add('ConstantOfShape', [build.add('Shape', [real])]), float32],
  ];
  build.output('out', value, 'float64', [1, 3, 4, 2]);
  const { graph } = decodeModel(build.build({ graphName: 'g', producer: 'p', opset: 18 }));
  const attribute = [{ name: 'value_int', i: 1n }];
  graph.node.push(
    create(NodeProtoSchema, { opType: 'Constant', output: ['one'], attribute }),
    create(NodeProtoSchema, { opType: 'Own', domain: 'mine', input: ['picture'], output: ['own'] }),
    create(NodeProtoSchema, { opType: 'Neg', input: ['own'], output: ['below'] }),
  );
  const types = elementTypes(graph);
  expect(wanted.map(([name]) => types.get(name))).toEqual(wanted.map(([, type]) => type));
  expect(['one', 'own', 'below'].map((name) => types.get(name))).toEqual([int64, undefined, undefined]);
});
