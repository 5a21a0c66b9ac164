import { encode } from 'fast-png';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { outOfWindow } from '../../src/models/fit/interpretations/letterbox-kernel.ts';
import { placedWindow } from '../../src/models/fit/feeding/place-picture.ts';
import type { Placing } from '../../src/models/fit/feeding/recipe.ts';
import { patternFrame } from '../../src/machine/vision/frame/pattern-frame.ts';
import { yoloV8Model } from './yolo-v8-model.ts';

/** A wide frame, and where the model finds its boxes when the frame keeps its shape. */
export interface LetterboxedFrame {
  readonly name: string;
  readonly png: Uint8Array<ArrayBuffer>;
  readonly boxes: readonly {
    readonly label: string;
    /** parts of the frame */
    readonly box: readonly [xMin: number, yMin: number, xMax: number, yMax: number];
  }[];
}

const [sidePx, widthPx] = [64, 128];
/** What the model finds, in pixels of its input. */
export const inInput = [
  { label: 'cat', centreX: 20, centreY: 30, width: 16, height: 12, scores: [0.9, 0.1] },
  { label: 'dog', centreX: 50, centreY: 34, width: 8, height: 14, scores: [0.2, 0.8] },
] as const;
const letterbox: Placing = { kind: 'letterbox', at: 'centre', sizes: 'round', odd: 'after', border: 114 };

/** Made machine-ready without the border of its training. It finds a cat and a dog at the same place of any input. */
export const stretchedPets = (): Uint8Array<ArrayBuffer> =>
  fitModel(yoloV8Model(inInput), { labels: ['cat', 'dog'], options: { letterbox: 'stretch' } }).model;

/** Frames of 2:1 and wider. */
export const letterboxedFrames: readonly LetterboxedFrame[] = [44, 48, 52, 56, 58, 60, 62].map((heightPx, at) => {
  const { samples } = patternFrame('rgba8', widthPx, heightPx);
  const input = { widthPx: sidePx, heightPx: sidePx };
  const window = placedWindow(letterbox, { widthPx, heightPx }, input);
  const boxes = inInput.map(({ label, centreX, centreY, width, height }) => {
    const corners = [centreX - width / 2, centreY - height / 2, centreX + width / 2, centreY + height / 2];
    const rows = { count: 1, box: Float64Array.from(corners, (px) => px / sidePx), score: Float64Array.of(1), category: Float64Array.of(0) }; // prettier-ignore
    const { box } = outOfWindow({ ...rows, classCount: null, space: 'proportional', firstBoxSum: 0 }, window, input);
    return { label, box: [box[0]!, box[1]!, box[2]!, box[3]!] as const };
  });
  const png = encode({ width: widthPx, height: heightPx, data: Uint8Array.from(samples), channels: 4 });
  return { name: `frame${at + 1}.png`, png: new Uint8Array(png), boxes };
});
