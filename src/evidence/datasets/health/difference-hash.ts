/** A small grey picture: rows from top to bottom, one byte a pixel. */
export interface GreyImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly samples: ArrayLike<number>;
}

const columns = 9;
const rows = 8;

/**
 * The difference hash (dHash) of a picture: 64 bits. Each bit says whether brightness increases from a cell of a 9×8 grid
 * to the next one in its row. Scaling, recompression and changed brightness hardly change it; rotation and mirroring do.
 *
 * @param grey at least 9×8 pixels; the pixels of a cell are averaged, and 36×32 are enough
 */
export function differenceHash(grey: GreyImage): bigint {
  let hash = 0n;
  for (let row = 0; row < rows; row++) {
    let left = cellMean(grey, 0, row);
    for (let column = 1; column < columns; column++) {
      const right = cellMean(grey, column, row);
      hash = (hash << 1n) | (right > left ? 1n : 0n);
      left = right;
    }
  }
  return hash;
}

function cellMean({ widthPx, heightPx, samples }: GreyImage, column: number, row: number): number {
  const xStart = Math.floor((column * widthPx) / columns);
  const yStart = Math.floor((row * heightPx) / rows);
  const xEnd = Math.max(xStart + 1, Math.floor(((column + 1) * widthPx) / columns));
  const yEnd = Math.max(yStart + 1, Math.floor(((row + 1) * heightPx) / rows));
  let sum = 0;
  for (let y = yStart; y < yEnd; y++) for (let x = xStart; x < xEnd; x++) sum += samples[y * widthPx + x]!;
  return sum / ((xEnd - xStart) * (yEnd - yStart));
}
