import type { Tensor } from '../../src/vision/tensor.ts';

export type Tensors = Readonly<Record<string, Tensor>>;

/** The memory of tensors, each once: what is transferred with them. */
export function buffersOf(tensors: Tensors): ArrayBuffer[] {
  const buffers = Object.values(tensors).map(({ data }) => data.buffer as ArrayBuffer);
  return [...new Set(buffers)];
}

export function byteLengthOf(tensors: Tensors): number {
  return Object.values(tensors).reduce((sum, { data }) => sum + data.byteLength, 0);
}
