import { describe, expect, it } from 'vitest';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { encodeModel } from './encode-model.ts';
import { readGraph } from './read-graph.ts';

const header = { graphName: 'g', producer: 'pytorch', opset: 18 };

describe('the graph of an ONNX file', () => {
  it('has operators with attributes, and constants with their values', () => {
    const build = new GraphBuilder();
    build.input('images', 'float32', [1, 3, 'height', 8]);
    const turned = build.add('Transpose', ['images'], { perm: { ints: [0, 2, 3, 1] } });
    const scaled = build.add('Mul', [turned, build.floats([2], [0.5, 2])]);
    const custom = build.add(
      'Fuse',
      [scaled, '', build.floats([9], Array(9).fill(1))],
      { mode: { string: 'up' } },
      'own',
    );
    build.output('out', custom, 'float32', [1]);
    const { inputs, outputs, operators, tensors } = readGraph(build.build({ ...header, domains: { own: 1 } }));
    expect([inputs, outputs]).toEqual([['images'], ['out']]);
    expect(operators.map(({ operator, attributes }) => [operator, attributes])).toEqual([
      ['Transpose', [['perm', '[0, 2, 3, 1]']]],
      ['Mul', []],
      ['own.Fuse', [['mode', '"up"']]],
      ['Identity', []],
    ]);
    expect(tensors.get('images')).toEqual({ dtype: 'float32', shape: [1, 3, 'height', 8], constant: null });
    expect(tensors.get(operators[1]!.inputs[1]!)).toEqual({ dtype: 'float32', shape: [2], constant: '0.5, 2' });
    expect(operators[2]!.inputs).toHaveLength(2);
    expect(tensors.get(operators[2]!.inputs[1]!)).toEqual({ dtype: 'float32', shape: [9], constant: '' });
  });

  it('takes Constant nodes and inputs with a value for constants', () => {
    const build = new GraphBuilder(undefined, { opset: 9, irVersion: 3 });
    build.input('images', 'float32', [1]);
    build.output('out', build.add('Add', ['images', build.ints([2], [3, -4])]), 'float32', [1]);
    const { inputs, operators, tensors } = readGraph(build.build({ ...header, opset: 9 }));
    expect(inputs).toEqual(['images']);
    expect(operators.map(({ operator }) => operator)).toEqual(['Add', 'Identity']);
    expect(tensors.get(operators[0]!.inputs[1]!)).toEqual({ dtype: 'int64', shape: [2], constant: '3, -4' });
  });

  it('knows what was added to a graph that was there', () => {
    const model = decodeModel(yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9] }]));
    const own = readGraph(encodeModel(model)).operators;
    expect(own.some(({ isAdded }) => isAdded)).toBe(false);
    const build = new GraphBuilder(model.graph);
    build.output('location', build.add('Neg', [model.graph.output[0]!.name]), 'float32', [1]);
    const { operators } = readGraph(encodeModel(model));
    expect(operators.filter(({ isAdded }) => !isAdded)).toEqual(own);
    expect(operators.filter(({ isAdded }) => isAdded).map(({ operator }) => operator)).toEqual(['Neg', 'Identity']);
    const names = model.graph.node.map(({ name }) => name).filter((name) => name !== '');
    expect(new Set(names).size).toBe(names.length);
  });
});
