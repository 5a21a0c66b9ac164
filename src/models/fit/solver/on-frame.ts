import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import type { BoxRows, InferenceSizes } from '../interpretations/box-rows.ts';
import { withoutMargin } from '../interpretations/letterbox-kernel.ts';
import type { Feeding, Turn } from './hypothesis.ts';

/**
 * Maps boxes from the model's input to the frame as it came, before it was turned or given a margin.
 * @param rows boxes, 0..1 of the model's input
 * @param feeding margin and turn that were applied
 * @param frame size of the frame, in pixels
 * @param sizes size of the model's input, in pixels
 * @returns the same rows, 0..1 of the frame
 * @example
 * const rows = { box: Float64Array.of(0, 0, 0.25, 1) };
 * const feeding = { input: { fit: 'stretch' }, turnDegs: 180 };
 * const { box } = onFrame(rows, feeding, { widthPx: 8, heightPx: 4 }, { inputWidthPx: 4, inputHeightPx: 4 });
 * [...box]; // => [0.75, 0, 1, 1]
 */
export function onFrame(
  rows: BoxRows,
  { input, turnDegs }: Feeding,
  frame: PictureSize,
  sizes: InferenceSizes,
): BoxRows {
  const isOnItsSide = turnDegs % 180 !== 0;
  const fed = isOnItsSide ? { widthPx: frame.heightPx, heightPx: frame.widthPx } : frame;
  const { inputWidthPx: widthPx, inputHeightPx: heightPx } = sizes;
  const inside = input.fit === 'letterbox' ? withoutMargin(rows, fed, { widthPx, heightPx }) : rows;
  return turnDegs === 0 ? inside : { ...inside, box: turnedBack(inside.box, turnDegs) };
}

/** Boxes of a picture that was turned clockwise, in the picture before. */
function turnedBack(box: Float64Array, turnDegs: Exclude<Turn, 0>): Float64Array {
  const back = new Float64Array(box.length);
  for (let i = 0; i < box.length; i += 4) {
    const [x0, y0, x1, y1] = [box[i]!, box[i + 1]!, box[i + 2]!, box[i + 3]!];
    const before = {
      90: [y0, 1 - x1, y1, 1 - x0],
      180: [1 - x1, 1 - y1, 1 - x0, 1 - y0],
      270: [1 - y1, x0, 1 - y0, x1],
    };
    back.set(before[turnDegs], i);
  }
  return back;
}
