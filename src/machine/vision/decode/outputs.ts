import { shapeText } from '../tensor/tensor-values.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * The outputs of one run of the model, in the model's own order: the machine's guess of tensor names depends on
 * that order.
 */
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
