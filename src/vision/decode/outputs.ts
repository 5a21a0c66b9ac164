import { shapeText } from '../inference/tensor-values.ts';
import type { Tensor } from '../tensor.ts';

/** The model's outputs of one run, in the model's own order: the guess goes through them in it. */
export type Outputs = ReadonlyMap<string, Tensor>;

/** `"boxes" float32 1×300×4, …`, for messages. */
export function listOutputs(outputs: Outputs): string {
  return (
    [...outputs].map(([name, { dtype, shape }]) => `${quote(name)} ${dtype} ${shapeText(shape)}`).join(', ') || 'none'
  );
}

export function quote(name: string): string {
  return JSON.stringify(name);
}
