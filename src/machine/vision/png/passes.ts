import type { FrameSize } from '../frame/frame.ts';
import type { PngHeader } from './header.ts';

/** A group of rows that follow each other in the stream, and the pixels of the picture that they hold. */
export interface Pass extends FrameSize {
  readonly firstColumn: number;
  readonly firstRow: number;
  readonly columnStep: number;
  readonly rowStep: number;
}

/** Adam7 (PNG §8.2): first column, first row, column step, row step */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The passes in stream order. Passes without pixels have no rows in the stream and are left out. */
export function passesOf({ widthPx, heightPx, isInterlaced }: PngHeader): readonly Pass[] {
  return (isInterlaced ? adam7 : ([[0, 0, 1, 1]] as const))
    .map(([firstColumn, firstRow, columnStep, rowStep]) => ({
      firstColumn,
      firstRow,
      columnStep,
      rowStep,
      widthPx: Math.ceil((widthPx - firstColumn) / columnStep),
      heightPx: Math.ceil((heightPx - firstRow) / rowStep),
    }))
    .filter((pass) => pass.widthPx > 0 && pass.heightPx > 0);
}
