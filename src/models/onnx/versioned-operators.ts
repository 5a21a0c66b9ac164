import { onnxType } from './dtypes.ts';
import type { GraphWriter } from './edit-model.ts';

/** Operators whose form changed between operator sets, written in the one that the graph is in. */

/**
 * Adds the maximum along one axis, which is removed.
 * @param build of a graph; its operator set decides the operator's form
 * @param tensor name of the input
 * @param axis from 0
 * @returns name of the result
 * @example
 * import { GraphBuilder } from './edit-model.ts';
 * const build = new GraphBuilder();
 * reduceMax(build, build.floats([1, 2], [3, 4]), 1); // => 'sightglass/reducemax_3'
 */
export function reduceMax(build: GraphWriter, tensor: string, axis: number): string {
  const keepdims = { int: 0 };
  return build.versions.opset < 18
    ? build.add('ReduceMax', [tensor], { axes: { ints: [axis] }, keepdims })
    : build.add('ReduceMax', [tensor, build.ints([1], [axis])], { keepdims });
}

/**
 * Adds the minimum of two int64 tensors, number by number.
 * @param build of a graph; its operator set decides the operator's form
 * @param one name of a tensor
 * @param other name of a tensor of the same shape
 * @returns name of the result
 * @example
 * import { GraphBuilder } from './edit-model.ts';
 * const build = new GraphBuilder();
 * smaller(build, build.ints([1], [3]), build.ints([1], [4])); // => 'sightglass/min_3'
 */
export function smaller(build: GraphWriter, one: string, other: string): string {
  if (build.versions.opset >= 12) return build.add('Min', [one, other]);
  // Before opset 12 only floats have a smaller one; those are exact up to 2²⁴.
  const asFloats = [one, other].map((tensor) => build.add('Cast', [tensor], { to: { int: onnxType('float32') } }));
  return build.add('Cast', [build.add('Min', asFloats)], { to: { int: onnxType('int64') } });
}

/**
 * Adds a slice along one axis.
 * @param build of a graph; its operator set decides the operator's form
 * @param tensor name of the input
 * @param axis from 0
 * @param from first entry
 * @param to entry behind the last one
 * @returns name of the result
 * @example
 * import { GraphBuilder } from './edit-model.ts';
 * const build = new GraphBuilder();
 * slice(build, build.floats([4], [1, 2, 3, 4]), 0, 1, 3); // => 'sightglass/slice_5'
 */
export function slice(build: GraphWriter, tensor: string, axis: number, from: number, to: number): string {
  if (build.versions.opset < 10) {
    return build.add('Slice', [tensor], { axes: { ints: [axis] }, starts: { ints: [from] }, ends: { ints: [to] } });
  }
  return build.add('Slice', [tensor, build.ints([1], [from]), build.ints([1], [to]), build.ints([1], [axis])]);
}

/**
 * Adds a reshape to fixed sizes.
 * @param build of a graph
 * @param tensor name of the input
 * @param shape as ONNX has it: 0 keeps a size, -1 is what is left
 * @returns name of the result
 * @example
 * import { GraphBuilder } from './edit-model.ts';
 * const build = new GraphBuilder();
 * reshape(build, build.floats([4], [1, 2, 3, 4]), [2, 2]); // => 'sightglass/reshape_3'
 */
export function reshape(build: GraphWriter, tensor: string, shape: readonly number[]): string {
  return build.add('Reshape', [tensor, build.ints([shape.length], shape)]);
}
