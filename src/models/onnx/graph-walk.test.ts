import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { ModelProtoSchema } from '../../gen/onnx_pb.ts';
import { countOperators, graphsOf } from './graph-walk.ts';

const branch = (name: string, opType: string) => ({ name, g: { node: [{ opType }] } });
const model = create(ModelProtoSchema, {
  graph: {
    node: [
      { opType: 'If', attribute: [branch('then_branch', 'Add'), branch('else_branch', 'Mul')] },
      { opType: 'Add', domain: 'ai.onnx' },
      { opType: 'Swish', domain: 'local' },
      { opType: 'Gelu', domain: 'com.microsoft' },
    ],
  },
  functions: [{ name: 'Swish', domain: 'local', node: [{ opType: 'Sigmoid' }, { opType: 'Mul' }] }],
});

it('counts the operators of subgraphs and of the functions that the model defines, not the functions themselves', () => {
  expect(countOperators(model)).toEqual({ If: 1, Add: 2, Mul: 2, Sigmoid: 1, 'com.microsoft.Gelu': 1 });
});

it('walks into branches', () => {
  expect(graphsOf(model.graph!)).toHaveLength(3);
});
