import { damaged } from './png-error.ts';

/**
 * Undoes the row filters (PNG §9) in place. Each row is the byte that names its filter, then `rowBytes` of samples.
 * @param pixelBytes bytes of a whole pixel; 1 for smaller pixels
 * @throws PngError for an unknown filter
 */
export function unfilter(
  inflated: Uint8Array,
  start: number,
  { rows, rowBytes, pixelBytes }: { readonly rows: number; readonly rowBytes: number; readonly pixelBytes: number },
): void {
  let above: Uint8Array = new Uint8Array(rowBytes); // black lies above the first row
  for (let y = 0, at = start; y < rows; y++, at += 1 + rowBytes) {
    const row = inflated.subarray(at + 1, at + 1 + rowBytes);
    const filter = inflated[at]!;
    if (filter === 1) addLeft(row, pixelBytes);
    else if (filter === 2) addAbove(row, above);
    else if (filter === 3) addAverage(row, above, pixelBytes);
    else if (filter === 4) addNearest(row, above, pixelBytes);
    else if (filter > 4) throw damaged(`The PNG has a row with filter ${filter}; 0 to 4 can be.`);
    above = row;
  }
}

function addLeft(row: Uint8Array, pixelBytes: number): void {
  for (let i = pixelBytes; i < row.length; i++) row[i]! += row[i - pixelBytes]!;
}

function addAbove(row: Uint8Array, above: Uint8Array): void {
  for (let i = 0; i < row.length; i++) row[i]! += above[i]!;
}

function addAverage(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  for (let i = 0; i < pixelBytes; i++) row[i]! += above[i]! >> 1;
  for (let i = pixelBytes; i < row.length; i++) row[i]! += (row[i - pixelBytes]! + above[i]!) >> 1;
}

/** Paeth's filter: of left, above and above left the one nearest to left + above − above left. */
function addNearest(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  for (let i = 0; i < pixelBytes; i++) row[i]! += above[i]!;
  for (let channel = 0; channel < pixelBytes; channel++) {
    let left = row[channel]!;
    let corner = above[channel]!;
    for (let i = channel + pixelBytes; i < row.length; i += pixelBytes) {
      const up = above[i]!;
      const toLeft = Math.abs(up - corner);
      const toUp = Math.abs(left - corner);
      const toCorner = Math.abs(left + up - 2 * corner);
      const nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
      corner = up;
      left = (row[i]! + nearest) & 255;
      row[i] = left;
    }
  }
}
