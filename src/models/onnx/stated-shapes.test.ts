import { describe, expect, it } from 'vitest';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { statedShape } from './stated-shapes.ts';

/** The shape stated of what `make` makes of a picture of any size. */
function shapeOf(make: (build: GraphBuilder, picture: string) => string) {
  const build = new GraphBuilder();
  const picture = build.input('picture', 'float32', ['batch', 3, 'height', 'width']);
  const tensor = make(build, picture);
  build.output('out', tensor, 'float32', ['a', 'b', 'c']);
  const bytes = build.build({ graphName: 'g', producer: 'p', opset: 18 });
  return statedShape(decodeModel(bytes).graph, 'out');
}

const conv = (build: GraphBuilder, picture: string, channels: number) =>
  build.add('Conv', [picture, build.floats([channels, 3, 1, 1], new Float32Array(3 * channels))]);

/** A graph as PyTorch writes x.view(x.size(0), -1, columns). */
function view(build: GraphBuilder, tensor: string, columns: number) {
  const batch = build.add('Gather', [build.add('Shape', [tensor]), build.ints([], [0])]);
  const size = (name: string) => build.add('Unsqueeze', [name, build.ints([1], [0])]);
  const shape = build.add('Concat', [size(batch), build.ints([1], [-1]), build.ints([1], [columns])], {
    axis: { int: 0 },
  });
  return build.add('Reshape', [tensor, shape]);
}

describe('the shape that a graph states', () => {
  it('reads a view of PyTorch, through the levels that are joined and the activation', () => {
    const shape = shapeOf((build, picture) => {
      const level = () => {
        const turned = build.add('Transpose', [conv(build, picture, 8)], { perm: { ints: [0, 2, 3, 1] } });
        return view(build, turned, 4);
      };
      return build.add('Softmax', [build.add('Concat', [level(), level()], { axis: { int: 1 } })]);
    });
    expect(shape).toEqual([-1, -1, 4]);
  });

  it('takes over the sizes that 0 stands for', () => {
    expect(shapeOf((build, picture) => build.add('Reshape', [picture, build.ints([3], [0, 0, -1])]))).toEqual([
      -1, 3, -1,
    ]);
  });

  it('adds the sizes that are joined, where all are known', () => {
    const rows = (build: GraphBuilder, count: number) => build.floats([1, count, 2], new Float32Array(2 * count));
    expect(shapeOf((build) => build.add('Concat', [rows(build, 3), rows(build, 4)], { axis: { int: -2 } }))).toEqual([
      1, 7, 2,
    ]);
    const open = (build: GraphBuilder, picture: string) => view(build, picture, 2);
    expect(
      shapeOf((build, picture) => build.add('Concat', [rows(build, 3), open(build, picture)], { axis: { int: 1 } })),
    ).toEqual([1, -1, 2]);
  });

  it('knows the channels of a convolution, in any order and after arithmetic', () => {
    const shape = shapeOf((build, picture) => {
      const scaled = build.add('Mul', [build.floats([], [2]), conv(build, picture, 5)]);
      return build.add('Transpose', [scaled], { perm: { ints: [0, 2, 3, 1] } });
    });
    expect(shape).toEqual([-1, -1, -1, 5]);
  });

  it('cuts off what a slice leaves out', () => {
    const cut = (axis: number, from: number, to: number) =>
      shapeOf((build, picture) =>
        build.add('Slice', [picture, build.ints([1], [from]), build.ints([1], [to]), build.ints([1], [axis])]),
      );
    expect(cut(1, 1, 9)).toEqual([-1, 2, -1, -1]);
    expect(cut(-1, 0, 14)).toEqual([-1, 3, -1, 14]);
    expect(cut(1, 0, 2 ** 53 - 1)).toEqual([-1, 3, -1, -1]);
    expect(cut(1, -2, 9)).toEqual([-1, 2, -1, -1]);
    expect(cut(1, 0, -1)).toEqual([-1, 2, -1, -1]);
    expect(cut(2, -2, 9)).toEqual([-1, 3, -1, -1]);
    expect(cut(2, 1, 2 ** 53 - 1)).toEqual([-1, 3, -1, -1]);
  });

  it('says nothing of an operator that it does not know', () => {
    expect(shapeOf((build, picture) => build.add('NonZero', [picture]))).toBeNull();
  });
});
