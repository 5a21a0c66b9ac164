import type { InputSpec, StretchKernel, Tensor, TensorData } from '../../../machine/vision/face/feeding.ts';

/**
 * Makes a kernel whose tensors show the frame's mirror image, left and right exchanged.
 * @param kernel the kernel that stretches frames
 * @returns a kernel with the same interface
 * @example
 * const tensor = { dtype: 'uint8', shape: [1, 1, 2, 3], data: Uint8Array.of(1, 2, 3, 4, 5, 6) };
 * const { data } = mirroring({ stretchToTensor: () => tensor }).stretchToTensor(null, { layout: 'nhwc' });
 * [...data]; // => [4, 5, 6, 1, 2, 3]
 */
export function mirroring(kernel: StretchKernel): StretchKernel {
  return { stretchToTensor: (frame, spec) => mirrored(kernel.stretchToTensor(frame, spec), spec.layout) };
}

/** A new tensor with every row of the picture the other way round. */
export function mirrored({ dtype, shape, data }: Tensor, layout: InputSpec['layout']): Tensor {
  const width = layout === 'nchw' ? shape[3]! : shape[2]!;
  const channels = layout === 'nchw' ? 1 : shape[3]!;
  const turned = data.slice() as Exclude<TensorData, BigInt64Array | BigUint64Array>;
  const rowLength = width * channels;
  for (let from = 0; from < data.length; from += rowLength) {
    for (let x = 0; x < width; x++) {
      const at = from + (width - 1 - x) * channels;
      for (let channel = 0; channel < channels; channel++)
        turned[from + x * channels + channel] = data[at + channel] as number;
    }
  }
  return { dtype, shape, data: turned };
}
