import { textSizePx } from './display-list.ts';
import { textFace, type TextFace } from './font/text-face.ts';
import { trueTypeFont } from './font/true-type-font.ts';

/** The font file of the machine's overlays at their size. @throws Error if the bytes are no such font */
export function overlayFace(fontFile: ArrayBuffer): TextFace {
  return textFace(trueTypeFont(fontFile), textSizePx);
}
