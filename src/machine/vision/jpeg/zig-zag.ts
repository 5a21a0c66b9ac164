/** Position within a block, row by row, of each coefficient in zig-zag order (ITU-T T.81, figure A.6). */
export const zigZag: Uint8Array = zigZagPlaces();

function zigZagPlaces(): Uint8Array {
  const places: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const cells: number[] = [];
    for (let y = Math.max(0, diagonal - 7); y <= Math.min(7, diagonal); y++) cells.push(8 * y + diagonal - y);
    // Even diagonals go up, odd ones down.
    places.push(...(diagonal % 2 === 0 ? cells.reverse() : cells));
  }
  return Uint8Array.from(places);
}
