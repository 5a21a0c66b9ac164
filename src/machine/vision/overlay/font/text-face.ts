import { fill } from '../raster/fill.ts';
import { Pen, quotient, toleranceFor, type Tolerance } from '../raster/pen.ts';
import type { GlyphOutline, OutlineFont, OutlinePoint } from './outline-font.ts';

/** Port to a font at one size. Lengths are 64ths of a pixel where they say so. */
export interface TextFace {
  /** from this character's origin to the next one's, in 64ths */
  advanceOf(character: string): number;
  /** A character's coverage at one of four places within a pixel: its origin at x 0, 16, 32 or 48 64ths. */
  maskOf(character: string, xFraction: number): GlyphMask;
}

export interface GlyphMask {
  /** from the pixel of the origin */
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** 0..255, row by row */
  readonly alpha: Uint8Array;
}

/**
 * A font without hinting, set as Go's truetype package does it: points and advances are rounded to 64ths of a
 * pixel, halves away from zero, and overlapping contours are filled even-odd. Masks are cached, four for each
 * glyph.
 */
export function textFace(font: OutlineFont, sizePx: number): TextFace {
  const scale = (units: number) => roundedQuotient(units * sizePx * 64, font.unitsPerEm);
  const { xMin, yMin, xMax, yMax } = font.bounds;
  const [width, height] = [
    pixelsUpTo(scale(xMax)) - pixelOf(scale(xMin)),
    pixelsUpTo(-scale(yMin)) - pixelOf(-scale(yMax)),
  ];
  const tolerance = toleranceFor(width, height);
  const masks = new Map<number, GlyphMask>();
  return {
    advanceOf: (character) => scale(font.glyph(character).advance),
    maskOf(character, xFraction) {
      const glyph = font.glyph(character);
      const key = 64 * glyph.index + xFraction;
      const mask = masks.get(key) ?? rasterize(glyph, scale, xFraction, tolerance);
      masks.set(key, mask);
      return mask;
    },
  };
}

function rasterize(
  { contours }: GlyphOutline,
  scale: (units: number) => number,
  xFraction: number,
  tolerance: Tolerance,
): GlyphMask {
  const scaled = contours.map((points) =>
    points.map(({ x, y, onCurve }) => ({ x: scale(x) + xFraction, y: -scale(y), onCurve })),
  );
  const points = scaled.flat();
  if (points.length === 0) return { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [leftPx, topPx] = [pixelOf(Math.min(...xs)), pixelOf(Math.min(...ys))];
  const widthPx = pixelsUpTo(Math.max(...xs)) - leftPx;
  const heightPx = pixelsUpTo(Math.max(...ys)) - topPx;
  const alpha = new Uint8Array(widthPx * heightPx);
  const drawn = scaled.map((contour) => drawContour(contour, -64 * leftPx, -64 * topPx, tolerance));
  fill(drawn, { widthPx, heightPx }, 'even-odd', (x, y, alpha16) => (alpha[y * widthPx + x] = alpha16 >> 8));
  return { leftPx, topPx, widthPx, heightPx, alpha };
}

function drawContour(
  contour: readonly OutlinePoint[],
  byX: number,
  byY: number,
  tolerance: Tolerance,
): readonly number[] {
  const points = contour.map(({ x, y, onCurve }) => ({ x: x + byX, y: y + byY, onCurve }));
  const [first, last] = [points[0]!, points.at(-1)!];
  const start = first.onCurve ? first : last.onCurve ? last : middle(first, last);
  const others = first.onCurve ? points.slice(1) : last.onCurve ? points.slice(0, -1) : points;
  const pen = new Pen(start.x, start.y, tolerance);
  let before: OutlinePoint = start;
  for (const point of [...others, { ...start, onCurve: true }]) {
    if (!before.onCurve) {
      const to = point.onCurve ? point : middle(before, point);
      pen.quadraticTo(before.x, before.y, to.x, to.y);
    } else if (point.onCurve) pen.lineTo(point.x, point.y);
    before = point;
  }
  return pen.contour;
}

const middle = (a: OutlinePoint, b: OutlinePoint): OutlinePoint => ({
  x: quotient(a.x + b.x, 2),
  y: quotient(a.y + b.y, 2),
  onCurve: true,
});

const pixelOf = (position: number) => position >> 6;
const pixelsUpTo = (position: number) => (position + 63) >> 6;

/** To the nearest whole number, halves away from zero. */
function roundedQuotient(a: number, b: number): number {
  return Math.trunc((a + Math.sign(a) * Math.trunc(b / 2)) / b);
}
