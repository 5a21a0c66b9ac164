import { decodeModel, GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { encodeModel } from '../../src/models/onnx/encode-model.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { randomSource } from '../random-frame.ts';

export interface RandomNetwork {
  readonly model: Uint8Array<ArrayBuffer>;
  /** inputs of two frames */
  readonly frames: readonly [Tensor, Tensor];
}

const size = 12;

/**
 * A seeded network of a detector's operators: convolutions with branches that are added, joined and gated, normalisation,
 * pooling, resizing, a Relu behind which differences vanish, large values, and rows of scores with a sorted list at the end. Its nodes have
 * names `n0`, `n1`, …
 */
export function randomNetwork(seed: number, blocks = 6): RandomNetwork {
  const random = randomSource(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const weights = (count: number, scale: number) => Array.from({ length: count }, () => between(-scale, scale));
  const build = new GraphBuilder();
  const image = build.input('image', 'float32', [1, 3, size, size]);

  const conv = (from: string, channels: number, to: number, kernel = 3) => {
    const shape = [to, channels, kernel, kernel];
    const count = shape.reduce((a, b) => a * b, 1);
    const inputs = [
      from,
      build.floats(shape, weights(count, 1.6 / Math.sqrt(channels * kernel * kernel))),
      build.floats([to], weights(to, 0.3)),
    ];
    return build.add('Conv', inputs, { pads: { ints: Array(4).fill((kernel - 1) / 2) as number[] } });
  };
  const activation = (from: string) =>
    pick([
      () => build.add('Relu', [from]),
      () => build.add('Mul', [from, build.add('Sigmoid', [from])]),
      () => build.add('LeakyRelu', [from], { alpha: { float: 0.1 } }),
      () => build.add('Clip', [from, build.floats([], [-1]), build.floats([], [6])]),
      () => build.add('Tanh', [from]),
    ])();
  const channels = pick([4, 6, 8]);
  const norm = (from: string) =>
    build.add('BatchNormalization', [
      from,
      build.floats(
        [channels],
        weights(channels, 1).map((value) => 1 + value / 3),
      ),
      build.floats([channels], weights(channels, 0.5)),
      build.floats([channels], weights(channels, 0.2)),
      build.floats(
        [channels],
        weights(channels, 0.4).map((value) => 1 + value),
      ),
    ]);
  const half = size / 2;
  const block = (from: string) =>
    pick([
      () => build.add('Add', [from, activation(conv(from, channels, channels))]),
      () => activation(norm(conv(from, channels, channels))),
      () => build.add('Sub', [activation(conv(from, channels, channels, 1)), from]),
      () => conv(build.add('Concat', [from, activation(from)], { axis: { int: 1 } }), 2 * channels, channels, 1),
      () =>
        build.add('Div', [
          from,
          build.add('Add', [build.add('Abs', [conv(from, channels, channels)]), build.floats([], [1])]),
        ]),
      () => {
        const pooled = build.add(pick(['MaxPool', 'AveragePool']), [from], {
          kernel_shape: { ints: [2, 2] },
          strides: { ints: [2, 2] },
        });
        const mode = pick(['nearest', 'linear']);
        const resized = build.add('Resize', [pooled, '', build.floats([4], [1, 1, 2, 2])], {
          mode: { string: mode },
          coordinate_transformation_mode: { string: mode === 'nearest' ? 'asymmetric' : 'half_pixel' },
          nearest_mode: { string: 'floor' },
        });
        return build.add('Add', [resized, from]);
      },
      () => {
        const gate = build.add('Sigmoid', [conv(build.add('GlobalAveragePool', [from]), channels, channels, 1)]);
        return build.add('Mul', [from, gate]);
      },
      () => {
        const rows = build.add('Reshape', [from, build.ints([3], [1, channels, size * size])]);
        const keys = build.add(
          'Softmax',
          [build.add('MatMul', [rows, build.add('Transpose', [rows], { perm: { ints: [0, 2, 1] } })])],
          { axis: { int: -1 } },
        );
        const seen = build.add('MatMul', [keys, rows]);
        return build.add('Reshape', [seen, build.ints([4], [1, channels, size, size])]);
      },
      () => {
        const [a, b] = build.addMany('Split', [from, build.ints([2], [channels / 2, channels / 2])], 2, {
          axis: { int: 1 },
        });
        return build.add(
          'Concat',
          [b!, build.add('Exp', [build.add('Clip', [a!, build.floats([], [-4]), build.floats([], [2])])])],
          { axis: { int: 1 } },
        );
      },
      () => {
        // Beyond what float16 holds, and back.
        const large = build.add('Mul', [from, build.floats([], [2e5])]);
        return build.add('Div', [build.add('Sub', [large, build.floats([], [3])]), build.floats([], [2e5])]);
      },
    ])();

  let last = activation(conv(image, 3, channels));
  for (let k = 0; k < blocks; k++) last = block(last);
  const rows = build.add('Reshape', [conv(last, channels, 6, 1), build.ints([3], [1, 6, size * size])]);
  const table = build.add('Transpose', [rows], { perm: { ints: [0, 2, 1] } });
  const boxes = build.add('Slice', [table, build.ints([1], [0]), build.ints([1], [4]), build.ints([1], [2])]);
  const scores = build.add('Sigmoid', [
    build.add('Slice', [table, build.ints([1], [4]), build.ints([1], [6]), build.ints([1], [2])]),
  ]);
  const best = build.add('ReduceMax', [scores, build.ints([1], [2])], { keepdims: { int: 0 } });
  const [top, order] = build.addMany('TopK', [best, build.ints([1], [10])], 2);
  const chosen = build.add('Gather', [boxes, build.add('Squeeze', [order!, build.ints([1], [0])])], {
    axis: { int: 1 },
  });
  build.output('location', chosen, 'float32', [1, 10, 4]);
  build.output('score', top!, 'float32', [1, 10]);
  build.output(
    'grid',
    build.add('MaxPool', [last], { kernel_shape: { ints: [half, half] }, strides: { ints: [half, half] } }),
    'float32',
    [1, channels, 2, 2],
  );

  const decoded = decodeModel(build.build({ graphName: `random-${seed}`, producer: 'sightglass-tests', opset: 18 }));
  for (const [k, node] of decoded.graph.node.entries()) node.name = `n${k}`;
  const frame = (): Tensor => ({
    dtype: 'float32',
    shape: [1, 3, size, size],
    data: Float32Array.from({ length: 3 * size * size }, () => between(-1, 1)),
  });
  return { model: encodeModel(decoded), frames: [frame(), frame()] };
}
