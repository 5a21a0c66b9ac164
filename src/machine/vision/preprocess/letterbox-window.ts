import type { PictureSize } from '../trace/trace.ts';

/** Where a frame lies inside a letterbox, in pixels of the model's input. */
export interface LetterboxWindow extends PictureSize {
  readonly leftPx: number;
  readonly topPx: number;
}

/** How sizes become whole pixels, and which side of the frame gets the odd pixel of a border. */
export interface LetterboxRounding {
  readonly sizes: 'round' | 'floor';
  readonly odd: 'after' | 'before';
}

/** Where proportions are no fractions of two, products come out a little below whole numbers. */
const rounding = 1e-9;

/**
 * Finds where a frame lies in a model's input when its proportions are kept. Sizes are rounded as the letterbox of Ultralytics rounds
 * them (centre) or that of YOLOX (top-left).
 * @param frame size of the frame in pixels, or its proportions
 * @param input size of the model's input, in pixels
 * @param at in the middle of the input, or at its upper left
 * @param rounding as other letterboxes round; default: as the two named above
 * @returns the window, in pixels of the input; it is the whole input where the proportions are the same
 * @example
 * letterboxWindow({ widthPx: 16, heightPx: 9 }, { widthPx: 640, heightPx: 640 }, 'centre'); // => { widthPx: 640, heightPx: 360, leftPx: 0, topPx: 140 }
 */
export function letterboxWindow(
  frame: PictureSize,
  input: PictureSize,
  at: 'centre' | 'top-left',
  { sizes, odd }: LetterboxRounding = { sizes: at === 'centre' ? 'round' : 'floor', odd: 'after' },
): LetterboxWindow {
  const scale = Math.min(input.widthPx / frame.widthPx, input.heightPx / frame.heightPx);
  const whole = (size: number) =>
    Math.max(1, sizes === 'round' ? Math.round(size * scale) : Math.floor(size * scale + rounding));
  const [widthPx, heightPx] = [whole(frame.widthPx), whole(frame.heightPx)];
  const half = odd === 'after' ? Math.floor : Math.ceil;
  const before = (free: number) => (at === 'centre' ? half(free / 2) : 0);
  return { widthPx, heightPx, leftPx: before(input.widthPx - widthPx), topPx: before(input.heightPx - heightPx) };
}

/**
 * Whether a border is left around a window.
 * @param window of `letterboxWindow`
 * @param input size of the model's input, in pixels
 * @returns false where the window is the whole input
 * @example
 * hasBorder({ widthPx: 64, heightPx: 36 }, { widthPx: 64, heightPx: 64 }); // => true
 */
export function hasBorder(window: PictureSize, input: PictureSize): boolean {
  return window.widthPx < input.widthPx || window.heightPx < input.heightPx;
}
