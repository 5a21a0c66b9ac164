// Every project that imports this file needs the declaration; not every one includes this folder.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./opentype-js.d.ts" />
// The package's main file is CommonJS without detectable names; its module build loads alike in Node, workers and bundles.
import { parse } from 'opentype.js/dist/opentype.mjs';
import type { OutlineCommand, OutlineFont } from './outline-font.ts';

/** Reads a TrueType font (quadratic outlines). No kerning, ligatures or hinting: the machine uses none. @throws Error if the bytes are no font */
export function trueTypeFont(bytes: ArrayBuffer): OutlineFont {
  const font = parse(bytes);
  return {
    unitsPerEm: font.unitsPerEm,
    glyph(character) {
      const { advanceWidth, path } = font.glyphs.get(font.charToGlyphIndex(character));
      return { advance: advanceWidth, commands: path.commands as readonly OutlineCommand[] };
    },
  };
}
