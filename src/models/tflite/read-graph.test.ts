import { describe, expect, it } from 'vitest';
import { tinyTflite } from '../../../tests/tflite-models.ts';
import { ModelError } from '../../machine/vision/errors/model-error.ts';
import { readTfliteGraph } from './read-graph.ts';

const float32 = 0;
const [add, logistic] = [0, 14];

const bytes = tinyTflite({
  tensors: [
    { name: 'x', type: float32, shape: [1, 4], signature: [-1, 4] },
    { name: 'bias', type: float32, shape: [1], data: [0, 0, 128, 63] },
    { name: 'x', type: float32, shape: [1, 4] },
    { name: 'y', type: float32, shape: [1, 4] },
  ],
  operators: [
    { code: add, inputs: [0, 1, -1], outputs: [2] },
    { code: 'Own', inputs: [2], outputs: [3] },
    { code: logistic, inputs: [3], outputs: [3] },
  ],
  inputs: [0],
  outputs: [3],
});

describe('the graph of a .tflite file', () => {
  it('has the operators of the interpreter, tensors of one name told apart', () => {
    const { inputs, outputs, operators, tensors } = readTfliteGraph(bytes);
    expect([inputs, outputs]).toEqual([['x'], ['y']]);
    expect(operators.map((one) => [one.operator, one.inputs, one.outputs])).toEqual([
      ['ADD', ['x', 'bias'], ['x#2']],
      ['custom.Own', ['x#2'], ['y']],
      ['LOGISTIC', ['y'], ['y']],
    ]);
    expect(tensors.get('x')).toEqual({ dtype: 'float32', shape: ['?', 4], constant: null });
    expect(tensors.get('bias')).toEqual({ dtype: 'float32', shape: [1], constant: '' });
  });

  it('is refused in words where the file is damaged', () => {
    expect(() => readTfliteGraph(bytes.slice(0, 60))).toThrow(ModelError);
  });
});
