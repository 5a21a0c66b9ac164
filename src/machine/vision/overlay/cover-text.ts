import type { FrameSize } from '../frame/frame.ts';
import { textSizePx, type TextItem } from './display-list.ts';
import type { TextFace } from './font/text-face.ts';
import { wordWrap } from './font/word-wrap.ts';

/**
 * Reports every pixel of a frame that a text covers, one character after the other, with its coverage 1..65535.
 * Lines that are wider than the frame are broken between words; like the machine, this ignores how much room is
 * left to the right of the text's start.
 */
export function coverText(
  { text, leftPx, baselinePx }: TextItem,
  frame: FrameSize,
  face: TextFace,
  paint: (x: number, y: number, alpha16: number) => void,
): void {
  for (const [i, line] of wordWrap(text, frame.widthPx, face).entries()) {
    let pen = 64 * leftPx;
    for (const character of line) {
      // Rounds to one of four positions within a pixel.
      const place = (pen + 8) & -16;
      const { alpha, widthPx, heightPx, ...mask } = face.maskOf(character, place & 63);
      const [left, top] = [(place >> 6) + mask.leftPx, baselinePx + i * textSizePx + mask.topPx];
      for (let y = Math.max(0, -top); y < Math.min(heightPx, frame.heightPx - top); y++) {
        for (let x = Math.max(0, -left); x < Math.min(widthPx, frame.widthPx - left); x++) {
          const over = alpha[y * widthPx + x]!;
          if (over !== 0) paint(left + x, top + y, 257 * over);
        }
      }
      pen += face.advanceOf(character);
    }
  }
}
