import type { PictureSize } from '../../vision/trace.ts';
import type { BoxRows, InferenceSizes } from '../interpretations/box-rows.ts';
import { withoutMargin } from '../interpretations/letterbox.ts';
import type { Feeding, Turn } from './hypothesis.ts';

/** Rows of a model's input where they lie on the frame as it came, before it was turned or given a margin. */
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
