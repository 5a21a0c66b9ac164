import type { Tensor } from '../../src/machine/vision/face/feeding.ts';

export type Tensors = Readonly<Record<string, Tensor>>;

/**
 * The buffers of tensors to transfer, each once. Shared buffers are left out: the other thread reads them in place.
 */
export function buffersOf(tensors: Tensors): ArrayBuffer[] {
  const buffers = Object.values(tensors).map(({ data }) => data.buffer);
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer);
}

export function byteLengthOf(tensors: Tensors): number {
  return Object.values(tensors).reduce((sum, { data }) => sum + data.byteLength, 0);
}
