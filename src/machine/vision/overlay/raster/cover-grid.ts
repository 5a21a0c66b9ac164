import { quotient, type Contours } from './pen.ts';

/**
 * What contours cover of the pixels of a rectangle, by the algorithm of FreeType's smooth rasterizer, in its whole numbers: every
 * edge adds to each pixel it crosses its height (`cover`, which counts for all pixels right of it too) and twice the area
 * left of it (`area`). Positions are 64ths of a pixel.
 */
export class CoverGrid {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly cover: Int32Array;
  readonly area: Int32Array;
  readonly #lastColumn: number;

  /**
   * Rasterizes the part of the contours that lies on a picture of the given size; parts to the left of it still
   * cover its rows.
   */
  constructor(contours: Contours, widthPx: number, heightPx: number) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const contour of contours) {
      for (let i = 0; i < contour.length; i += 2) {
        left = Math.min(left, contour[i]!);
        right = Math.max(right, contour[i]!);
        top = Math.min(top, contour[i + 1]!);
        bottom = Math.max(bottom, contour[i + 1]!);
      }
    }
    const within = (pixel: number, last: number) => Math.min(Math.max(pixel, -1), last);
    this.#lastColumn = widthPx;
    // An edge that leaves the picture at the top is extended beyond its end along its slope (see #addEdge).
    this.left = top < 0 ? -1 : within(quotient(left, 64), widthPx);
    this.columns = (top < 0 ? widthPx : within(quotient(right, 64), widthPx)) - this.left + 1;
    this.top = Math.max(quotient(top, 64), 0);
    this.rows = Math.max(Math.min(quotient(bottom, 64), heightPx - 1) - this.top + 1, 0);
    this.cover = new Int32Array(this.columns * this.rows);
    this.area = new Int32Array(this.columns * this.rows);
    if (this.rows === 0) return;
    for (const contour of contours) {
      for (let i = 2; i < contour.length; i += 2) {
        this.#addEdge(contour[i - 2]!, contour[i - 1]!, contour[i]!, contour[i + 1]!);
      }
    }
  }

  #addEdge(x0: number, y0: number, x1: number, y1: number): void {
    // Towards zero, so that the rows on both sides of the top edge are one, with fractions below zero: there a
    // step can lead past the edge's own end.
    const row0 = quotient(y0, 64);
    const row1 = quotient(y1, 64);
    const from = y0 - 64 * row0;
    const to = y1 - 64 * row1;
    if (row0 === row1) {
      this.#addInRow(row0, x0, from, x1, to);
      return;
    }
    const down = y1 > y0;
    const [enters, leaves, step] = down ? [0, 64, 1] : [64, 0, -1];
    const split = new EvenSteps((down ? 64 - from : from) * (x1 - x0), Math.abs(y1 - y0));
    let x = x0 + split.first;
    this.#addInRow(row0, x0, from, x, leaves);
    let row = row0 + step;
    split.begin(64 * (x1 - x0));
    for (; row !== row1; row += step) {
      const next = x + split.next();
      this.#addInRow(row, x, enters, next, leaves);
      x = next;
    }
    this.#addInRow(row, x, enters, x1, to);
  }

  /** An edge within one row, its y relative to the row. */
  #addInRow(row: number, x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return;
    const column0 = quotient(x0, 64);
    const column1 = quotient(x1, 64);
    const from = x0 - 64 * column0;
    const to = x1 - 64 * column1;
    if (column0 === column1) {
      this.#add(column0, row, (from + to) * (y1 - y0), y1 - y0);
      return;
    }
    const rightwards = x1 > x0;
    const [enters, leaves, step] = rightwards ? [0, 64, 1] : [64, 0, -1];
    const split = new EvenSteps((rightwards ? 64 - from : from) * (y1 - y0), Math.abs(x1 - x0));
    let y = y0 + split.first;
    this.#add(column0, row, (from + leaves) * split.first, split.first);
    let column = column0 + step;
    if (column !== column1) split.begin(64 * (y1 - y + split.first));
    for (; column !== column1; column += step) {
      const height = split.next();
      this.#add(column, row, 64 * height, height);
      y += height;
    }
    this.#add(column, row, (enters + to) * (y1 - y), y1 - y);
  }

  #add(column: number, row: number, area: number, cover: number): void {
    const y = row - this.top;
    if (y < 0 || y >= this.rows) return;
    const x = Math.min(Math.max(column, -1), this.#lastColumn) - this.left;
    this.cover[y * this.columns + x]! += cover;
    this.area[y * this.columns + x]! += area;
  }
}

/** Divides a whole number over steps so that rounding errors do not add up, as in Bresenham's line. */
class EvenSteps {
  readonly first: number;
  readonly #divisor: number;
  #remainder: number;
  #each = 0;
  #eachRemainder = 0;

  constructor(dividend: number, divisor: number) {
    this.#divisor = divisor;
    this.first = Math.floor(dividend / divisor);
    this.#remainder = dividend - this.first * divisor;
  }

  begin(dividend: number): void {
    this.#each = Math.floor(dividend / this.#divisor);
    this.#eachRemainder = dividend - this.#each * this.#divisor;
    this.#remainder -= this.#divisor;
  }

  next(): number {
    this.#remainder += this.#eachRemainder;
    if (this.#remainder < 0) return this.#each;
    this.#remainder -= this.#divisor;
    return this.#each + 1;
  }
}
