/** A font's outlines in font units, y upwards, (0, 0) on the baseline. */
export interface OutlineFont {
  readonly unitsPerEm: number;
  /** Rectangle that every glyph fits in. */
  readonly bounds: OutlineBounds;
  /** The glyph of a character; the font's own "missing" glyph where it has none. */
  glyph(character: string): GlyphOutline;
}

export interface OutlineBounds {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

export interface GlyphOutline {
  readonly index: number;
  /** from this glyph's origin to the next one's */
  readonly advance: number;
  readonly contours: readonly (readonly OutlinePoint[])[];
}

/** A point of a closed contour of lines and quadratic curves; between two that are off the curve lies one on it, in the middle. */
export interface OutlinePoint {
  readonly x: number;
  readonly y: number;
  readonly onCurve: boolean;
}
