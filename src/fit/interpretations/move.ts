import type { InputSpec } from '../../vision/preprocess/input-spec.ts';
import type { StretchKernel } from '../../vision/preprocess/stretch-kernel.ts';
import type { Tensor, TensorData } from '../../vision/tensor.ts';
import type { BoxRows, InferenceSizes } from './box-rows.ts';

/** How far the picture is moved to the right and down, by its sides; unequal, so that x is not taken for y. */
const [right, down] = [0.08, 0.05];

/** A kernel whose tensors show the frame moved to the right and down, its first column and row drawn out behind it. */
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

/** The rows of a moved picture where they lie in the picture itself. */
export function movedBack(rows: BoxRows, { inputWidthPx, inputHeightPx }: InferenceSizes): BoxRows {
  const { xPx, yPx } = distance(inputWidthPx, inputHeightPx);
  const box = rows.box.map((side, at) => side - (at % 2 === 0 ? xPx / inputWidthPx : yPx / inputHeightPx));
  return { ...rows, box };
}

function distance(width: number, height: number) {
  return { xPx: Math.round(right * width), yPx: Math.round(down * height) };
}
