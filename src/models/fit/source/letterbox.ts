import type { GraphBuilder } from '../../onnx/face/model-files.ts';
import type { Letterbox } from '../structure/family.ts';
import type { InputSize } from '../structure/input-size.ts';

export interface Letterboxed {
  /** [1,3,H,W] float32 */
  readonly picture: string;
  /** Puts boxes [1,K,4] ymin, xmin, ymax, xmax, proportional to the input, into proportions of the frame. */
  readonly ontoFrame: (location: string) => string;
}

/**
 * Fits a frame [1,3,height,width] of any size, float32 bytes, into the model's size with its proportions kept. Sizes and offsets are
 * rounded as the letterbox of Ultralytics rounds them (centre) or that of YOLOX (top-left), and resizing is bilinear
 * without antialiasing as OpenCV's: what such models were trained on.
 */
export function letterbox(build: GraphBuilder, frame: string, size: InputSize, { border, at }: Letterbox): Letterboxed {
  const toFloat = (tensor: string) => build.add('Cast', [tensor], { to: { int: 1 } });
  const toInts = (tensor: string) => build.add('Cast', [tensor], { to: { int: 7 } });
  const alongRows = { axis: { int: 0 } };
  const inputSize = build.floats([2], [size.heightPx, size.widthPx]);
  const zeros = build.ints([2], [0, 0]);

  const shape = build.add('Shape', [frame]);
  const frameSize = toFloat(build.add('Gather', [shape, build.ints([2], [2, 3])], alongRows));
  const scales = build.add('Div', [inputSize, frameSize]);
  const scale = build.add('Min', [
    build.add('Gather', [scales, build.ints([], [0])]),
    build.add('Gather', [scales, build.ints([], [1])]),
  ]);
  const scaled = build.add('Mul', [frameSize, scale]);
  const whole = at === 'centre' ? build.add('Round', [scaled]) : build.add('Floor', [scaled]);
  const covered = build.add('Max', [whole, build.floats([], [1])]);
  const free = build.add('Sub', [inputSize, covered]);
  const half = build.add('Sub', [build.add('Mul', [free, build.floats([], [0.5])]), build.floats([], [0.1])]);
  const before =
    at === 'centre' ? build.add('Max', [build.add('Round', [half]), build.floats([], [0])]) : toFloat(zeros);
  const after = build.add('Sub', [free, before]);

  const sizes = build.add('Concat', [build.ints([2], [1, 3]), toInts(covered)], alongRows);
  const fitted = build.add('Resize', [frame, build.floats([0], []), build.floats([0], []), sizes], {
    mode: { string: 'linear' },
    coordinate_transformation_mode: { string: 'half_pixel' },
  });
  const pads = build.add('Concat', [zeros, toInts(before), zeros, toInts(after)], alongRows);
  const twice = (pair: string) => build.add('Concat', [pair, pair], alongRows);
  return {
    picture: build.add('Pad', [fitted, pads, build.floats([], [border])]),
    ontoFrame: (location) => {
      const inputPx = build.add('Mul', [location, twice(inputSize)]);
      return build.add('Div', [build.add('Sub', [inputPx, twice(before)]), twice(scaled)]);
    },
  };
}
