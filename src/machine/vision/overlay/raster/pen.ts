/** One drawn shape: contours of points x, y, x, y, … in 64ths of a pixel, y downwards; each ends where it began. */
export type Contours = readonly (readonly number[])[];

/**
 * How finely curves are cut into chords, as in FreeType's smooth rasterizer: the larger the picture, the coarser.
 * Values are distances from the chord, in 64ths of a pixel, below which a curve is not cut further.
 */
export interface Tolerance {
  readonly quadratic: number;
  readonly cubic: number;
}

export function toleranceFor(widthPx: number, heightPx: number): Tolerance {
  const size = Math.max(widthPx, heightPx);
  const factor = size > 120 ? 4 : size > 24 ? 2 : 1;
  return { quadratic: 32 * factor, cubic: 16 * factor };
}

/** Draws one contour with lines and curves. Whole numbers throughout, divisions towards zero: what Go's raster package computes. */
export class Pen {
  readonly contour: number[];
  readonly #tolerance: Tolerance;

  constructor(x: number, y: number, tolerance: Tolerance) {
    this.contour = [x, y];
    this.#tolerance = tolerance;
  }

  lineTo(x: number, y: number): void {
    this.contour.push(x, y);
  }

  quadraticTo(bx: number, by: number, cx: number, cy: number): void {
    const [ax, ay] = this.#position();
    let bend = quotient(Math.max(Math.abs(ax - 2 * bx + cx), Math.abs(ay - 2 * by + cy)), this.#tolerance.quadratic);
    let cuts = 0;
    for (; bend > 0; bend = quotient(bend, 4)) cuts++;
    this.#quadratic(ax, ay, bx, by, cx, cy, cuts);
  }

  #quadratic(ax: number, ay: number, bx: number, by: number, cx: number, cy: number, cuts: number): void {
    if (cuts === 0) {
      this.lineTo(quotient(ax + 2 * bx + cx, 4), quotient(ay + 2 * by + cy, 4));
      this.lineTo(cx, cy);
      return;
    }
    const [abx, aby, bcx, bcy] = [half(ax + bx), half(ay + by), half(bx + cx), half(by + cy)];
    const [mx, my] = [half(abx + bcx), half(aby + bcy)];
    this.#quadratic(ax, ay, abx, aby, mx, my, cuts - 1);
    this.#quadratic(mx, my, bcx, bcy, cx, cy, cuts - 1);
  }

  cubicTo(bx: number, by: number, cx: number, cy: number, dx: number, dy: number): void {
    const [ax, ay] = this.#position();
    const bend = (controls: number, cx: number, cy: number) =>
      Math.max(Math.abs(ax - controls * cx + dx), Math.abs(ay - controls * cy + dy));
    let bend2 = quotient(bend(3, bx + cx, by + cy), this.#tolerance.quadratic);
    let bend3 = quotient(bend(2, bx, by), this.#tolerance.cubic);
    let cuts = 0;
    for (; bend2 > 0 || bend3 > 0; bend2 = quotient(bend2, 8), bend3 = quotient(bend3, 4)) cuts++;
    this.#cubic([ax, ay, bx, by, cx, cy, dx, dy], cuts);
  }

  #cubic([ax, ay, bx, by, cx, cy, dx, dy]: CubicPoints, cuts: number): void {
    if (cuts === 0) {
      this.lineTo(quotient(ax + 3 * (bx + cx) + dx, 8), quotient(ay + 3 * (by + cy) + dy, 8));
      this.lineTo(dx, dy);
      return;
    }
    const [abx, aby, bcx, bcy, cdx, cdy] = [
      half(ax + bx),
      half(ay + by),
      half(bx + cx),
      half(by + cy),
      half(cx + dx),
      half(cy + dy),
    ];
    const [lx, ly, rx, ry] = [half(abx + bcx), half(aby + bcy), half(bcx + cdx), half(bcy + cdy)];
    const [mx, my] = [half(lx + rx), half(ly + ry)];
    this.#cubic([ax, ay, abx, aby, lx, ly, mx, my], cuts - 1);
    this.#cubic([mx, my, rx, ry, cdx, cdy, dx, dy], cuts - 1);
  }

  #position(): [number, number] {
    return [this.contour.at(-2)!, this.contour.at(-1)!];
  }
}

type CubicPoints = [ax: number, ay: number, bx: number, by: number, cx: number, cy: number, dx: number, dy: number];

/** Go's division of whole numbers: towards zero. */
export function quotient(a: number, b: number): number {
  return (a / b) | 0;
}

const half = (sum: number) => quotient(sum, 2);
