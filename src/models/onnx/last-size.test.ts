import { describe, expect, it } from 'vitest';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { lastSize } from './last-size.ts';

/** The size told for the last of three axes, where `make` makes the tensor from one of which nothing is known. */
function sizeOf(make: (build: GraphBuilder, tensor: string) => string): number {
  const build = new GraphBuilder();
  const picture = build.input('picture', 'float32', ['batch', 3, 'height', 'width']);
  build.output('out', make(build, picture), 'float32', ['a', 'b', 'c']);
  const bytes = build.build({ graphName: 'g', producer: 'p', opset: 18 });
  return lastSize(decodeModel(bytes).graph, 'out', 3);
}

const product = (build: GraphBuilder, tensor: string, columns: number) =>
  build.add('MatMul', [tensor, build.floats([3, columns], new Float32Array(3 * columns))]);
const stacked = (build: GraphBuilder, tensor: string, axis: number) => {
  const layers = [0, 1].map(() => build.add('Unsqueeze', [tensor, build.ints([1], [axis])]));
  return build.add('Concat', layers, { axis: { int: axis } });
};
const layer = (build: GraphBuilder, tensor: string, axis: number) =>
  build.add('Gather', [tensor, build.ints([], [-1])], { axis: { int: axis } });

describe('the size of the last axis', () => {
  it.each<[string, number, (build: GraphBuilder, tensor: string) => string]>([
    ['is that of a product with a matrix', 4, (build, tensor) => product(build, tensor, 4)],
    [
      'is that of the part that has one, below sums and activations',
      4,
      (build, tensor) =>
        build.add('Sigmoid', [build.add('Add', [build.add('Log', [tensor]), product(build, tensor, 4)])]),
    ],
    [
      'is that of the layers of a decoder of which the last is taken',
      4,
      (build, tensor) => layer(build, stacked(build, product(build, tensor, 4), 1), 1),
    ],
    ['is not known of a tensor that nothing multiplies', -1, (build, tensor) => build.add('Sigmoid', [tensor])],
    ['is not that of one number for all', -1, (build, tensor) => build.add('Mul', [tensor, build.floats([1], [2])])],
    [
      'is the sum of what is joined along it, a new axis being 1',
      5,
      (build, tensor) => {
        const boxes = build.add('Squeeze', [
          build.add('Unsqueeze', [product(build, tensor, 4), build.ints([1], [0])]),
          build.ints([1], [0]),
        ]);
        const chosen = build.add('GatherElements', [boxes, tensor], { axis: { int: 1 } });
        return build.add('Concat', [chosen, build.add('Unsqueeze', [tensor, build.ints([1], [-1])])], {
          axis: { int: -1 },
        });
      },
    ],
    [
      'is not known where one of the tensors that are joined along it is not known',
      -1,
      (build, tensor) => build.add('Concat', [product(build, tensor, 2), tensor], { axis: { int: 2 } }),
    ],
    [
      'is not known where some of its numbers are taken',
      -1,
      (build, tensor) =>
        build.add('Gather', [product(build, tensor, 9), build.ints([2], [0, 1])], { axis: { int: 2 } }),
    ],
    ['is not known of a product of two tensors', -1, (build, tensor) => build.add('MatMul', [tensor, tensor])],
  ])('%s', (_, size, make) => {
    expect(sizeOf(make)).toBe(size);
  });
});
