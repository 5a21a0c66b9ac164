import { expect, it } from 'vitest';
import { buildModel, imports, node, outside, tensor, zeros } from '../../../tests/onnx-runtime/build-model.ts';
import { readLoadFacts } from './read-model.ts';

const picture = [1, 3, 4, 4];
const whole = {
  ir: 8,
  opsets: [['', 17]] as const,
  inputs: [tensor('image', 'FLOAT', picture)],
  outputs: [tensor('out', 'FLOAT', picture)],
  nodes: [node('Identity', ['image'], ['out'])],
};

it('takes inputs and outputs of every type, as they are declared', () => {
  const facts = readLoadFacts(
    buildModel({
      ...whole,
      inputs: [tensor('image', 'BFLOAT16', [1, 'height', 0]), tensor('any', 'INT64'), tensor('weights', 'FLOAT', [1])],
      outputs: [
        { name: 'list', type: { value: { case: 'sequenceType', value: {} } } },
        { name: 'maybe', type: { value: { case: 'optionalType', value: {} } } },
        { name: 'map', type: { value: { case: 'mapType', value: {} } } },
        { name: 'sparse', type: { value: { case: 'sparseTensorType', value: {} } } },
        { name: 'untold' },
        tensor('odd', 99, [1]),
      ],
      initializers: [zeros('weights', 'FLOAT', [1], 4)],
    }),
  );
  expect(facts.inputs).toEqual([
    { name: 'image', kind: 'tensor', dtype: 'bfloat16', shape: [1, -1, 0] },
    { name: 'any', kind: 'tensor', dtype: 'int64', shape: null },
  ]);
  expect(facts.outputs.map(({ name, kind, dtype }) => `${name}: ${kind} ${dtype}`.trim())).toEqual([
    'list: sequence',
    'maybe: optional',
    'map: map',
    'sparse: sparse tensor',
    'untold: undeclared',
    'odd: tensor type 99',
  ]);
});

it('opens up the functions that are called, and no others', () => {
  const body = (name: string, opType: string, domain: string, opsets: readonly (readonly [string, number])[]) => ({
    domain: 'mine',
    name,
    input: ['a'],
    output: ['b'],
    node: [node(opType, ['a'], ['b'], {}, domain)],
    opsetImport: imports(opsets),
  });
  const facts = readLoadFacts(
    buildModel({
      ...whole,
      opsets: [
        ['ai.onnx', 17],
        ['', 12],
        ['mine', 1],
      ],
      nodes: [node('Outer', ['image'], ['out'], {}, 'mine')],
      functions: [
        body('Outer', 'Inner', 'mine', [['mine', 1]]),
        body('Inner', 'Gelu', 'com.microsoft', [['', 18]]),
        body('Idle', 'Zap', 'foreign', [['', 24]]),
      ],
    }),
  );
  expect(facts.operators).toEqual([
    { domain: 'mine', name: 'Outer' },
    { domain: 'mine', name: 'Inner' },
    { domain: 'com.microsoft', name: 'Gelu' },
  ]);
  expect(facts.opsets).toEqual({ '': 17, mine: 1 });
  expect(facts.functionOpsets).toEqual({ '': 24, mine: 1 });
  expect(facts.functionsWithoutOpset).toEqual([{ domain: 'mine', name: 'Inner', lacking: 'com.microsoft' }]);
});

it('names files that hold weights, in branches and constants too, each once', () => {
  const branch = { name: 'then', node: [], output: [], initializer: [outside('b', [1], 'b.data')] };
  const facts = readLoadFacts(
    buildModel({
      ...whole,
      nodes: [
        node('If', ['image'], ['out'], { then_branch: { type: 5, g: branch } }),
        node('Constant', [], ['c'], { value: { type: 4, t: outside('c', [1], 'c.data') } }),
      ],
      initializers: [outside('a', [1], 'a.data'), outside('a2', [1], 'a.data')],
    }),
  );
  expect(facts.externalFiles).toEqual(['a.data', 'b.data', 'c.data']);
});
