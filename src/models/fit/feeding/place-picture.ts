import { letterboxWindow, type LetterboxWindow } from '../../../machine/vision/face/feeding.ts';
import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import type { FeedingRecipe, Placing } from './recipe.ts';
import { resample } from './resize/resample.ts';
import type { Raster } from './resize/raster.ts';
import { roundHalfEven } from './resize/round-half-even.ts';

/**
 * Finds where the whole picture would lie in a model's input, in pixels of it; what a crop cuts away lies outside.
 * @param placing stretched, kept in shape, or cropped
 * @param frame size of the picture, in pixels
 * @param input size of the model's input, in pixels
 * @returns the window
 * @example
 * const [frame, input] = [{ widthPx: 640, heightPx: 480 }, { widthPx: 224, heightPx: 224 }];
 * placedWindow({ kind: 'crop', share: 0.875, cut: 'after' }, frame, input); // => { widthPx: 341, heightPx: 256, leftPx: -58, topPx: -16 }
 */
export function placedWindow(placing: Placing, frame: PictureSize, input: PictureSize): LetterboxWindow {
  switch (placing.kind) {
    case 'stretch':
      return { widthPx: input.widthPx, heightPx: input.heightPx, leftPx: 0, topPx: 0 };
    case 'letterbox':
      return letterboxWindow(frame, input, placing.at, placing);
    case 'crop':
      return placing.cut === 'before' ? windowAround(cutOf(placing.share, frame, input), frame, input) : cutAfter(placing.share, frame, input); // prettier-ignore
  }
}

/** Cuts as torchvision's Resize and CenterCrop: the longer side is cut off to whole pixels, half a pixel of the offset goes to the even one. */
function cutAfter(share: number, frame: PictureSize, input: PictureSize): LetterboxWindow {
  const scale = Math.max(input.widthPx / frame.widthPx, input.heightPx / frame.heightPx) / share;
  const whole = (side: number) => Math.max(1, Math.floor(side * scale + 1e-6));
  const [widthPx, heightPx] = [whole(frame.widthPx), whole(frame.heightPx)];
  const before = (size: number, inside: number) => 0 - roundHalfEven((size - inside) / 2);
  return { widthPx, heightPx, leftPx: before(widthPx, input.widthPx), topPx: before(heightPx, input.heightPx) };
}

/** The middle of a picture, in the input's proportions. */
function cutOf(share: number, frame: PictureSize, input: PictureSize): LetterboxWindow {
  const scale = share * Math.min(frame.widthPx / input.widthPx, frame.heightPx / input.heightPx);
  const side = (size: number) => Math.max(1, Math.floor(size * scale + 1e-6));
  const [widthPx, heightPx] = [side(input.widthPx), side(input.heightPx)];
  const before = (size: number, part: number) => Math.floor((size - part) / 2);
  return { widthPx, heightPx, leftPx: before(frame.widthPx, widthPx), topPx: before(frame.heightPx, heightPx) };
}

function windowAround(cut: LetterboxWindow, frame: PictureSize, input: PictureSize): LetterboxWindow {
  const [scaleX, scaleY] = [input.widthPx / cut.widthPx, input.heightPx / cut.heightPx];
  return {
    widthPx: frame.widthPx * scaleX,
    heightPx: frame.heightPx * scaleY,
    leftPx: 0 - cut.leftPx * scaleX,
    topPx: 0 - cut.topPx * scaleY,
  };
}

/**
 * Makes the picture that a model sees, before its values are normalised.
 * @param source the whole picture, RGB
 * @param recipe resampler and placing
 * @param input size of the model's input, in pixels
 * @param resize as `resample`, which may know what it made before
 * @returns a raster of that size
 * @example
 * const source = { widthPx: 2, heightPx: 1, channels: 1, samples: Uint8ClampedArray.of(10, 20) };
 * const placing = { kind: 'letterbox', at: 'top-left', sizes: 'floor', odd: 'after', border: 114 };
 * [...placePicture(source, { resampler: 'opencv linear', placing }, { widthPx: 2, heightPx: 2 }).samples]; // => [10, 20, 114, 114]
 */
export function placePicture(
  source: Raster,
  { resampler, placing }: Pick<FeedingRecipe, 'resampler' | 'placing'>,
  input: PictureSize,
  resize: typeof resample = resample,
): Raster {
  if (placing.kind === 'crop' && placing.cut === 'before') {
    const cut = cutOf(placing.share, source, input);
    return resample(copied(source, { ...cut, leftPx: -cut.leftPx, topPx: -cut.topPx }, 0), input.widthPx, input.heightPx, resampler); // prettier-ignore
  }
  const window = placedWindow(placing, source, input);
  const resized = resize(source, window.widthPx, window.heightPx, resampler);
  return placing.kind === 'stretch'
    ? resized
    : copied(
        resized,
        { ...input, leftPx: window.leftPx, topPx: window.topPx },
        placing.kind === 'letterbox' ? placing.border : 0,
      );
}

/** A raster of another size with the picture at a place of it; what does not fit is cut off, what is left is gray. */
function copied(
  { widthPx, heightPx, channels, samples }: Raster,
  { widthPx: width, heightPx: height, leftPx, topPx }: LetterboxWindow,
  gray: number,
): Raster {
  const length = width * height * channels;
  const into = samples instanceof Float32Array ? new Float32Array(length) : new Uint8ClampedArray(length);
  into.fill(gray);
  const [first, last] = [Math.max(0, leftPx), Math.min(width, leftPx + widthPx)];
  for (let y = Math.max(0, topPx); y < Math.min(height, topPx + heightPx); y++) {
    const from = ((y - topPx) * widthPx + first - leftPx) * channels;
    into.set(samples.subarray(from, from + (last - first) * channels), (y * width + first) * channels);
  }
  return { widthPx: width, heightPx: height, channels, samples: into };
}
