import { expect, it } from 'vitest';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { roundedConvolutions } from './rounded-convolutions.ts';

type Stored = 'int8' | 'uint8';

const ones = { int8: Int8Array.of(1, 1, 1), uint8: Uint8Array.of(1, 1, 1) };

function graphOf(node: (build: GraphBuilder, x: string) => string) {
  const build = new GraphBuilder();
  build.output('y', node(build, build.input('image', 'float32', [1, 3, 1, 1])), 'float32', [1, 1, 1, 1]);
  return decodeModel(build.build({ graphName: 'g', producer: 'p', opset: 18 })).graph;
}

const zero = (build: GraphBuilder, dtype: Stored) =>
  build.constant(dtype, [], dtype === 'int8' ? new Int8Array(1) : new Uint8Array(1));

const weightsOf = (build: GraphBuilder, dtype: Stored) => build.constant(dtype, [1, 3, 1, 1], ones[dtype]);

/** A graph as quantize_static writes it. */
const betweenDequantised = (values: Stored, weights: Stored) =>
  graphOf((build, x) => {
    const scale = build.constant('float32', [], Float32Array.of(0.5));
    const steps = build.add('QuantizeLinear', [x, scale, zero(build, values)]);
    const back = build.add('DequantizeLinear', [steps, scale, zero(build, values)]);
    return build.add('Conv', [back, build.add('DequantizeLinear', [weightsOf(build, weights), scale])]);
  });

const integer = (weights: Stored) =>
  graphOf((build, x) => {
    const steps = build.add('Cast', [x], { to: { int: 2 } });
    return build.add('Cast', [build.add('ConvInteger', [steps, weightsOf(build, weights)])], { to: { int: 1 } });
  });

it.each([
  ['int8 values and weights', betweenDequantised('int8', 'int8'), 1],
  ['uint8 values and int8 weights', betweenDequantised('uint8', 'int8'), 0],
  ['int8 values and uint8 weights', betweenDequantised('int8', 'uint8'), 0],
  ['ConvInteger with uint8 weights', integer('uint8'), 1],
  ['ConvInteger with int8 weights, which the machine refuses', integer('int8'), 0],
  [
    'floats',
    graphOf((build, x) => build.add('Conv', [x, build.constant('float32', [1, 3, 1, 1], new Float32Array(3))])),
    0,
  ],
])('counts convolutions that two runtimes round differently: %s', (_, graph, count) => {
  expect(roundedConvolutions(graph)).toBe(count);
});
