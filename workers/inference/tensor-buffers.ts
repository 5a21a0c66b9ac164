import type { Tensor } from '../../src/vision/tensor.ts';

export type Tensors = Readonly<Record<string, Tensor>>;

/** The memory of tensors, each once: what is transferred with them. Shared memory is not: the other thread reads it where it lies. */
export function buffersOf(tensors: Tensors): ArrayBuffer[] {
  const buffers = Object.values(tensors).map(({ data }) => data.buffer);
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer);
}

export function byteLengthOf(tensors: Tensors): number {
  return Object.values(tensors).reduce((sum, { data }) => sum + data.byteLength, 0);
}
