import {
  hasBorder,
  type InputSpec,
  letterboxWindow,
  type LetterboxWindow,
  type StretchKernel,
} from '../../../machine/vision/face/feeding.ts';
import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import type { BoxRows } from './box-rows.ts';

/** The gray that models are commonly trained with around their pictures. */
const margin = 114;

/**
 * Makes a kernel that keeps a frame's shape and fills the rest of the model's input with gray, the frame in the
 * middle.
 * @param kernel the kernel that stretches frames
 * @returns a kernel with the same interface
 * @example
 * import { patternFrame } from '../../../machine/vision/frame/pattern-frame.ts';
 * import { referenceStretchKernel } from '../../../machine/vision/preprocess/preprocess.ts';
 * const spec = { dtype: 'uint8', layout: 'nhwc', widthPx: 2, heightPx: 4, bgr: false, mean: [0, 0, 0], stdDev: [1, 1, 1] };
 * const { shape, data } = letterboxing(referenceStretchKernel).stretchToTensor(patternFrame('rgba8', 2, 2), spec);
 * shape; // => [1, 4, 2, 3]
 * [...data.subarray(0, 3)]; // => [114, 114, 114]
 */
export function letterboxing(kernel: StretchKernel): StretchKernel {
  return {
    stretchToTensor(frame, spec) {
      const { widthPx, heightPx } = spec;
      if (widthPx === null || heightPx === null) return kernel.stretchToTensor(frame, spec);
      const inside = letterboxWindow(frame, { widthPx, heightPx }, 'centre');
      const { data } = kernel.stretchToTensor(frame, { ...spec, widthPx: inside.widthPx, heightPx: inside.heightPx });
      const whole = new (spec.dtype === 'uint8' ? Uint8Array : Float32Array)(3 * widthPx * heightPx);
      for (let channel = 0; channel < 3; channel++) {
        const gray = spec.dtype === 'uint8' ? margin : (margin / 255 - spec.mean[channel]!) / spec.stdDev[channel]!;
        const [to, from] = [
          placeOf(spec.layout, channel, { widthPx, heightPx }),
          placeOf(spec.layout, channel, inside),
        ];
        for (let y = 0; y < heightPx; y++) for (let x = 0; x < widthPx; x++) whole[to(x, y)] = gray;
        for (let y = 0; y < inside.heightPx; y++)
          for (let x = 0; x < inside.widthPx; x++)
            whole[to(x + inside.leftPx, y + inside.topPx)] = data[from(x, y)] as number;
      }
      const shape = spec.layout === 'nchw' ? [1, 3, heightPx, widthPx] : [1, heightPx, widthPx, 3];
      return { dtype: spec.dtype, shape, data: whole };
    },
  };
}

/**
 * Whether a letterbox around a frame differs from the frame stretched.
 * @param frame size of the frame, in pixels
 * @param input size of the model's input, in pixels; null: that of the frame
 * @returns true where a margin is left
 * @example
 * hasMargin({ widthPx: 640, heightPx: 480 }, { widthPx: 320, heightPx: 320 }); // => true
 * hasMargin({ widthPx: 640, heightPx: 480 }, { widthPx: 320, heightPx: 240 }); // => false
 */
export function hasMargin(frame: PictureSize, { widthPx, heightPx }: Pick<InputSpec, 'widthPx' | 'heightPx'>): boolean {
  if (widthPx === null || heightPx === null) return false;
  const input = { widthPx, heightPx };
  return hasBorder(letterboxWindow(frame, input, 'centre'), input);
}

/**
 * Maps boxes from the letterbox to the frame inside it.
 * @param rows boxes, 0..1 of the letterbox
 * @param frame size of the frame, in pixels
 * @param input size of the model's input, in pixels
 * @returns the same rows, 0..1 of the frame
 * @example
 * const { box } = withoutMargin({ box: Float64Array.of(0, 0.25, 1, 0.75) }, { widthPx: 2, heightPx: 1 }, { widthPx: 4, heightPx: 4 });
 * [...box]; // => [0, 0, 1, 1]
 */
export function withoutMargin(rows: BoxRows, frame: PictureSize, input: PictureSize): BoxRows {
  return outOfWindow(rows, letterboxWindow(frame, input, 'centre'), input);
}

/**
 * Maps boxes from a model's input to the picture that lies in a window of it.
 * @param rows boxes, 0..1 of the input
 * @param window where the picture lies, in pixels of the input; parts of it may lie outside
 * @param input size of the model's input, in pixels
 * @returns the same rows, 0..1 of the picture
 * @example
 * const rows = { box: Float64Array.of(0, 0.25, 1, 0.75) };
 * [...outOfWindow(rows, { widthPx: 4, heightPx: 2, leftPx: 0, topPx: 1 }, { widthPx: 4, heightPx: 4 }).box]; // => [0, 0, 1, 1]
 */
export function outOfWindow(
  rows: BoxRows,
  { leftPx, topPx, widthPx, heightPx }: LetterboxWindow,
  input: PictureSize,
): BoxRows {
  const box = rows.box.map((side, at) =>
    at % 2 === 0 ? (side * input.widthPx - leftPx) / widthPx : (side * input.heightPx - topPx) / heightPx,
  );
  return { ...rows, box };
}

/** Where a channel of a pixel stands in a tensor. */
function placeOf(layout: InputSpec['layout'], channel: number, { widthPx, heightPx }: PictureSize) {
  return layout === 'nchw'
    ? (x: number, y: number) => channel * widthPx * heightPx + y * widthPx + x
    : (x: number, y: number) => 3 * (y * widthPx + x) + channel;
}
