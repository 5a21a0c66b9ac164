/** Port to a font's outlines, in font units with y upwards and (0, 0) on the baseline. */
export interface OutlineFont {
  readonly unitsPerEm: number;
  /** The glyph of a character; the font's own "missing" glyph where it has none. */
  glyph(character: string): GlyphOutline;
}

export interface GlyphOutline {
  /** from this glyph's origin to the next one's */
  readonly advance: number;
  /** closed contours, filled by non-zero winding */
  readonly commands: readonly OutlineCommand[];
}

export type OutlineCommand =
  | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
  | { readonly type: 'Q'; readonly x1: number; readonly y1: number; readonly x: number; readonly y: number }
  | { readonly type: 'Z' };
