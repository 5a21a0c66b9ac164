import { coverText } from './cover-text.ts';
import type { FrameSize } from '../frame/frame.ts';
import { boxLineWidthPx, type BoxItem, type TextItem } from './display-list.ts';
import type { TextFace } from './font/text-face.ts';
import { fill } from './raster/fill.ts';
import { toleranceFor, type Tolerance } from './raster/pen.ts';
import { roundLine } from './raster/round-line.ts';

/**
 * A layer in one colour, as large as the frame: the coverage of each pixel, 0..255. Items are composed in the 16
 * bits of Go's image packages and truncated to 8 bits each time.
 */
export class OverlayLayer {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly alpha: Uint8Array;
  /** for each row, the first column that was painted and the column after the last */
  readonly rowStarts: Int32Array;
  readonly rowEnds: Int32Array;
  readonly #tolerance: Tolerance;

  constructor({ widthPx, heightPx }: FrameSize) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.alpha = new Uint8Array(widthPx * heightPx);
    this.rowStarts = new Int32Array(heightPx).fill(widthPx);
    this.rowEnds = new Int32Array(heightPx);
    this.#tolerance = toleranceFor(widthPx, heightPx);
  }

  /** Draws four lines, each over the ones before: where they meet, the coverage of their round ends adds up. */
  addBox({ xMin, yMin, xMax, yMax }: BoxItem): void {
    this.#addLine(xMin, yMin, xMax, yMin);
    this.#addLine(xMin, yMin, xMin, yMax);
    this.#addLine(xMax, yMin, xMax, yMax);
    this.#addLine(xMin, yMax, xMax, yMax);
  }

  #addLine(fromX: number, fromY: number, toX: number, toY: number): void {
    // Positions far outside the frame are clamped: the visible part of a line does not depend on where it ends, and
    // a box of zero area may lie anywhere.
    const inReach = (position: number, sizePx: number) => 64 * Math.min(Math.max(position, -8), sizePx + 8);
    const outline = roundLine(
      inReach(fromX, this.widthPx),
      inReach(fromY, this.heightPx),
      inReach(toX, this.widthPx),
      inReach(toY, this.heightPx),
      (64 * boxLineWidthPx) / 2,
      this.#tolerance,
    );
    fill(outline, this, 'non-zero', (x, y, alpha16) => {
      const i = this.#touch(x, y);
      const under = this.alpha[i]! * 257 * (65535 - alpha16);
      this.alpha[i] = Math.floor((under + 65535 * alpha16) / 65535) >> 8;
    });
  }

  addText(item: TextItem, face: TextFace): void {
    coverText(item, this, face, (x, y, over) => {
      const i = this.#touch(x, y);
      this.alpha[i] = (Math.floor((this.alpha[i]! * 257 * (65535 - over)) / 65535) + over) >> 8;
    });
  }

  #touch(x: number, y: number): number {
    if (x < this.rowStarts[y]!) this.rowStarts[y] = x;
    if (x >= this.rowEnds[y]!) this.rowEnds[y] = x + 1;
    return y * this.widthPx + x;
  }
}
