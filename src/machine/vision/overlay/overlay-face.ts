import { textSizePx } from './display-list.ts';
import { textFace, type TextFace } from './font/text-face.ts';
import { trueTypeFont } from './font/true-type-font.ts';

/**
 * Reads the font of the machine's overlays and sets it at their size.
 * @param fontFile a TrueType file
 * @returns advance and mask of each glyph, in pixels
 * @throws Error if the bytes are no such font
 * @example
 * overlayFace(new ArrayBuffer(4)); // throws: Error
 */
export function overlayFace(fontFile: ArrayBuffer): TextFace {
  return textFace(trueTypeFont(fontFile), textSizePx);
}
