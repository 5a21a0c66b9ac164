import type { InferenceSession } from '../src/machine/vision/inference/inference-session.ts';
import type { Tensor, TensorDtype, TensorInfo } from '../src/machine/vision/tensor/tensor.ts';

/** A tensor of float32 values. */
export function float32(shape: readonly number[], values: readonly number[]): Tensor {
  return { dtype: 'float32', shape, data: Float32Array.from(values) };
}

/** A tensor of int64 values. */
export function int64(shape: readonly number[], values: readonly number[]): Tensor {
  return { dtype: 'int64', shape, data: BigInt64Array.from(values, BigInt) };
}

/** The declaration of a model's image input. */
export function imageInput(shape: readonly number[], dtype: TensorDtype = 'uint8', name = 'image'): TensorInfo {
  return { name, dtype, shape, symbols: shape.map(() => null) };
}

/** A session with outputs computed by the given function. `feeds` records every input tensor. */
export function fixedSession(
  input: TensorInfo | readonly TensorInfo[],
  outputs: Readonly<Record<string, Tensor>> | ((image: Tensor) => Readonly<Record<string, Tensor>>),
  outputNames: readonly string[] = Object.keys(outputs),
): InferenceSession & { readonly feeds: Readonly<Record<string, Tensor>>[] } {
  const feeds: Readonly<Record<string, Tensor>>[] = [];
  return {
    feeds,
    inputs: 'name' in input ? [input] : input,
    outputs: outputNames.map((name) => ({ name, dtype: 'float32', shape: [], symbols: [] })),
    run: async (fed) => {
      feeds.push(fed);
      return typeof outputs === 'function' ? outputs(Object.values(fed)[0]!) : outputs;
    },
    release: async () => undefined,
  };
}
