import { onnxType } from './dtypes.ts';
import type { GraphBuilder } from './edit-model.ts';

/** Operators whose form changed between operator sets, written in the one that the graph is in. */

/** The largest along one axis, which goes. */
export function reduceMax(build: GraphBuilder, tensor: string, axis: number): string {
  const keepdims = { int: 0 };
  return build.versions.opset < 18
    ? build.add('ReduceMax', [tensor], { axes: { ints: [axis] }, keepdims })
    : build.add('ReduceMax', [tensor, build.ints([1], [axis])], { keepdims });
}

/** The smaller of two int64 tensors, number by number. */
export function smaller(build: GraphBuilder, one: string, other: string): string {
  if (build.versions.opset >= 12) return build.add('Min', [one, other]);
  // Before opset 12 only floats have a smaller one; those are exact up to 2²⁴.
  const asFloats = [one, other].map((tensor) => build.add('Cast', [tensor], { to: { int: onnxType('float32') } }));
  return build.add('Cast', [build.add('Min', asFloats)], { to: { int: onnxType('int64') } });
}

/** Entries `from` to before `to` along one axis. */
export function slice(build: GraphBuilder, tensor: string, axis: number, from: number, to: number): string {
  if (build.versions.opset < 10) {
    return build.add('Slice', [tensor], { axes: { ints: [axis] }, starts: { ints: [from] }, ends: { ints: [to] } });
  }
  return build.add('Slice', [tensor, build.ints([1], [from]), build.ints([1], [to]), build.ints([1], [axis])]);
}

export function reshape(build: GraphBuilder, tensor: string, shape: readonly number[]): string {
  return build.add('Reshape', [tensor, build.ints([shape.length], shape)]);
}
