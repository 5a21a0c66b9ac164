import type { InputSpec, StretchKernel, Tensor, TensorData } from '../../../machine/vision/face/feeding.ts';

/**
 * Makes a kernel whose tensors show one even colour, the mean of the frame. What a model finds in such a picture, it
 * finds in anything.
 * @param kernel the kernel that stretches frames
 * @returns a kernel with the same interface
 * @example
 * const tensor = { dtype: 'uint8', shape: [1, 1, 2, 3], data: Uint8Array.of(0, 10, 20, 2, 10, 40) };
 * const { data } = flattening({ stretchToTensor: () => tensor }).stretchToTensor(null, { layout: 'nhwc' });
 * [...data]; // => [1, 10, 30, 1, 10, 30]
 */
export function flattening(kernel: StretchKernel): StretchKernel {
  return { stretchToTensor: (frame, spec) => flattened(kernel.stretchToTensor(frame, spec), spec.layout) };
}

function flattened({ dtype, shape, data }: Tensor, layout: InputSpec['layout']): Tensor {
  const pixels = data.length / 3;
  const [step, plane] = layout === 'nchw' ? [1, pixels] : [3, 1];
  const into = data.slice() as Exclude<TensorData, BigInt64Array | BigUint64Array>;
  for (let channel = 0; channel < 3; channel++) {
    const first = channel * plane;
    let sum = 0;
    for (let pixel = 0; pixel < pixels; pixel++) sum += data[first + step * pixel] as number;
    for (let pixel = 0; pixel < pixels; pixel++) into[first + step * pixel] = sum / pixels;
  }
  return { dtype, shape, data: into };
}
