import type { InputSpec, StretchKernel, Tensor, TensorData } from '../../../machine/vision/face/feeding.ts';
import type { BoxRows, InferenceSizes } from './box-rows.ts';

/** How far the picture is moved to the right and down, by its sides; unequal, so that x is not taken for y. */
const [right, down] = [0.08, 0.05];

/**
 * Makes a kernel whose tensors show the frame moved to the right and down; its first column and row fill the space
 * behind it.
 * @param kernel the kernel that stretches frames
 * @returns a kernel with the same interface
 * @example
 * const tensor = { dtype: 'uint8', shape: [1, 1, 1, 3], data: Uint8Array.of(1, 2, 3) };
 * const { shape } = moving({ stretchToTensor: () => tensor }).stretchToTensor(null, { layout: 'nhwc' });
 * shape; // => [1, 1, 1, 3]
 */
export function moving(kernel: StretchKernel): StretchKernel {
  return { stretchToTensor: (frame, spec) => moved(kernel.stretchToTensor(frame, spec), spec.layout) };
}

function moved({ dtype, shape, data }: Tensor, layout: InputSpec['layout']): Tensor {
  const [height, width] = layout === 'nchw' ? [shape[2]!, shape[3]!] : [shape[1]!, shape[2]!];
  const { xPx, yPx } = distance(width, height);
  const step = layout === 'nchw' ? 1 : 3;
  const plane = layout === 'nchw' ? width * height : 1;
  const into = data.slice() as Exclude<TensorData, BigInt64Array | BigUint64Array>;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = step * (Math.max(0, y - yPx) * width + Math.max(0, x - xPx));
      const to = step * (y * width + x);
      for (let channel = 0; channel < 3; channel++) into[to + channel * plane] = data[from + channel * plane] as number;
    }
  }
  return { dtype, shape, data: into };
}

/**
 * Maps boxes of a moved frame (`moving`) back to the frame.
 * @param rows boxes, 0..1 of the moved frame
 * @param sizes size of the model's input, in pixels
 * @returns the same rows, 0..1 of the frame
 * @example
 * const box = Float64Array.of(0.5, 0.5, 1, 1);
 * const { box: back } = movedBack({ box }, { inputWidthPx: 320, inputHeightPx: 320 });
 * back[0] < 0.5; // => true
 * Math.round(100 * (back[2] - back[0])); // => 50
 */
export function movedBack(rows: BoxRows, { inputWidthPx, inputHeightPx }: InferenceSizes): BoxRows {
  const { xPx, yPx } = distance(inputWidthPx, inputHeightPx);
  const box = rows.box.map((side, at) => side - (at % 2 === 0 ? xPx / inputWidthPx : yPx / inputHeightPx));
  return { ...rows, box };
}

function distance(width: number, height: number) {
  return { xPx: Math.round(right * width), yPx: Math.round(down * height) };
}
