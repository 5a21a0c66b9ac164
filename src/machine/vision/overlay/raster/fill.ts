import { CoverGrid } from './cover-grid.ts';
import type { Contours } from './pen.ts';

export type FillRule = 'non-zero' | 'even-odd';

/** Gives every pixel of a picture that contours cover, with its coverage 1..65535. */
export function fill(
  contours: Contours,
  picture: { readonly widthPx: number; readonly heightPx: number },
  rule: FillRule,
  paint: (x: number, y: number, alpha16: number) => void,
): void {
  if (contours.length === 0) return;
  const grid = new CoverGrid(contours, picture.widthPx, picture.heightPx);
  for (let row = 0, i = 0; row < grid.rows; row++) {
    let cover = 0;
    for (let column = 0; column < grid.columns; column++, i++) {
      cover += grid.cover[i]!;
      const x = grid.left + column;
      if (x < 0 || x >= picture.widthPx) continue;
      const alpha = alphaOf(cover * 128 - grid.area[i]!, rule);
      if (alpha !== 0) paint(x, grid.top + row, alpha);
    }
  }
}

/** A whole pixel is an area of 64 × 64 × 2. The coverage has 12 bits, spread over 16. */
function alphaOf(area: number, rule: FillRule): number {
  let alpha = Math.abs((area + 1) >> 1);
  if (rule === 'non-zero') alpha = Math.min(alpha, 0xfff);
  else {
    alpha &= 0x1fff;
    if (alpha > 0x1000) alpha = 0x2000 - alpha;
    else if (alpha === 0x1000) alpha = 0xfff;
  }
  return (alpha << 4) | (alpha >> 8);
}
