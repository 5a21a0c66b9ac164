import { type GraphBuilder, onnxType } from '../../onnx/face/model-files.ts';
import { reshape } from '../../onnx/face/graphs.ts';
import type { TensorDtype } from '../../../machine/vision/face/feeding.ts';
import type { Preprocessing } from '../structure/family.ts';
import type { InputSize } from '../structure/input-size.ts';
import { letterbox, type Letterboxed } from './letterbox.ts';
import type { Picture } from '../structure/model-structure.ts';

/** How the machine is to feed the model that was written. */
export interface Feeding {
  readonly dtype: 'float32' | 'uint8';
  /** values of the vision service's attributes; null where the graph does it */
  readonly mean: readonly number[] | null;
  readonly stdDev: readonly number[] | null;
  readonly bgr: boolean;
}

export interface Prologue {
  readonly feeding: Feeding;
  /** the tensor that the network reads in place of its input */
  readonly picture: string;
  readonly ontoFrame: Letterboxed['ontoFrame'] | null;
  readonly added: readonly string[];
}

/**
 * Adds the input `image` and what must happen to it before the network. What the configuration can say (mean, deviation,
 * BGR) is left to it. Bytes come as uint8, a quarter of what float32 sends.
 */
export function addPrologue(
  build: GraphBuilder,
  picture: Picture,
  size: InputSize,
  preprocessing: Preprocessing,
  pads: boolean,
): Prologue {
  const prologue = pads
    ? paddingPrologue(build, picture, size, preprocessing)
    : stretchingPrologue(build, picture, size, preprocessing);
  if (!picture.hasNoBatch) return prologue;
  return {
    ...prologue,
    picture: reshape(build, prologue.picture, [3, size.heightPx, size.widthPx]),
    added: [...prologue.added, 'the one picture of the batch as the input without a batch'],
  };
}

/** The machine stretches a frame to the input. */
function stretchingPrologue(
  build: GraphBuilder,
  picture: Picture,
  size: InputSize,
  preprocessing: Preprocessing,
): Prologue {
  const isBytes = picture.dtype === 'uint8' || isRaw(preprocessing);
  const dtype = isBytes ? 'uint8' : 'float32';
  const channelsFirst = [1, 3, size.heightPx, size.widthPx];
  const channelsLast = [1, size.heightPx, size.widthPx, 3];
  const image = build.input('image', dtype, picture.layout === 'nchw' ? channelsFirst : channelsLast);
  const feeding: Feeding = {
    dtype,
    mean: isBytes ? null : preprocessing.mean,
    stdDev: isBytes ? null : preprocessing.stdDev,
    bgr: preprocessing.colour === 'bgr',
  };
  const added = dtype === picture.dtype ? [] : [`a cast of the input from ${dtype} to ${picture.dtype}`];
  return { feeding, picture: castTo(build, image, dtype, picture.dtype), ontoFrame: null, added };
}

/** The machine hands over a frame as it is where the input's size is dynamic; all else happens in the graph. */
function paddingPrologue(
  build: GraphBuilder,
  picture: Picture,
  size: InputSize,
  { colour, mean, stdDev, letterbox: box }: Preprocessing,
): Prologue {
  const image = build.input('image', 'uint8', [1, 3, 'height', 'width']);
  const { picture: padded, ontoFrame } = letterbox(build, castTo(build, image, 'uint8', 'float32'), size, box!);
  const perChannel = (values: readonly number[]) =>
    build.floats(
      [1, 3, 1, 1],
      values.map((value) => value * 255),
    );
  const isPlain = isRaw({ mean, stdDev });
  const centred = isPlain || mean.every((value) => value === 0) ? padded : build.add('Sub', [padded, perChannel(mean)]);
  const scaled = isPlain ? centred : build.add('Div', [centred, perChannel(stdDev)]);
  const ordered =
    picture.layout === 'nchw' ? scaled : build.add('Transpose', [scaled], { perm: { ints: [0, 2, 3, 1] } });
  // Bytes are rounded as OpenCV rounds them; a cast alone would cut them off.
  const whole = picture.dtype === 'uint8' ? build.add('Round', [ordered]) : ordered;
  return {
    feeding: { dtype: 'uint8', mean: null, stdDev: null, bgr: colour === 'bgr' },
    picture: castTo(build, whole, 'float32', picture.dtype),
    ontoFrame,
    added: [
      `an input of any size, fitted into ${size.widthPx}×${size.heightPx} with its proportions kept (border ${box!.border}, ${box!.at})`,
      ...(isPlain ? [] : ['the mean and deviation that the model was trained with']),
    ],
  };
}

/** Whether the network is fed bytes as they are. */
export function isRaw({ mean, stdDev }: Pick<Preprocessing, 'mean' | 'stdDev'>): boolean {
  return mean.every((value) => value === 0) && stdDev.every((value) => Math.abs(value * 255 - 1) < 1e-9);
}

function castTo(build: GraphBuilder, tensor: string, from: TensorDtype, to: TensorDtype): string {
  return from === to ? tensor : build.add('Cast', [tensor], { to: { int: onnxType(to) } });
}
