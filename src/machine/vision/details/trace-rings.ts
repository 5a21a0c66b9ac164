/** The sides of a cell, clockwise. */
const [up, right, down, left] = [0, 1, 2, 3];

/**
 * By which corners of a cell are inside (1 top left, 2 top right, 4 bottom right, 8 bottom left): the sides from which to which a line
 * goes, what is inside always on the same hand (Lorensen and Cline 1987, in two dimensions).
 */
const lines: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[left, up]],
  [[up, right]],
  [[left, right]],
  [[right, down]],
  [[left, up], [right, down]],
  [[up, down]],
  [[left, down]],
  [[down, left]],
  [[down, up]],
  [[up, right], [down, left]],
  [[down, right]],
  [[right, left]],
  [[right, up]],
  [[up, left]],
  [],
]; // prettier-ignore

/** The same where opposite corners are inside and the middle is, too. */
const joined: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  5: [[right, up], [left, down]], // prettier-ignore
  10: [[up, left], [down, right]], // prettier-ignore
};

/** Where the columns and rows of a field lie; neighbours may lie at the same place. */
export interface FieldPlaces {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/**
 * Traces the lines on which a field is 0, by marching squares.
 * @param field row by row, as many numbers as `xs` times `ys`; the outermost ones are below 0
 * @param places where its columns and rows lie
 * @returns closed rings of x and y around what is above 0, and around holes in it
 * @example
 * traceRings(Float32Array.of(-1, -1, -1, -1, 1, -1, -1, -1, -1), { xs: [0, 1, 2], ys: [0, 1, 2] })[0].length; // => 8
 */
export function traceRings(field: Float32Array, { xs, ys }: FieldPlaces): number[][] {
  const width = xs.length;
  // A side is numbered by the corner at its left or upper end: horizontal ones even, vertical ones odd.
  const sideOf = (corner: number, side: number): number => {
    if (side === up) return 2 * corner;
    if (side === left) return 2 * corner + 1;
    return side === right ? 2 * (corner + 1) + 1 : 2 * (corner + width);
  };
  const next = new Map<number, number>();
  for (let y = 0; y + 1 < ys.length; y++)
    for (let x = 0; x + 1 < width; x++) {
      const corner = y * width + x;
      const [a, b] = [field[corner]!, field[corner + 1]!];
      const [c, d] = [field[corner + width + 1]!, field[corner + width]!];
      const inside = (a > 0 ? 1 : 0) | (b > 0 ? 2 : 0) | (c > 0 ? 4 : 0) | (d > 0 ? 8 : 0);
      if (inside === 0 || inside === 15) continue;
      const isJoined = (inside === 5 || inside === 10) && a + b + c + d > 0;
      for (const [from, to] of isJoined ? joined[inside]! : lines[inside]!)
        next.set(sideOf(corner, from), sideOf(corner, to));
    }
  return ringsOf(next, (side) => crossing(field, { xs, ys }, side));
}

function ringsOf(next: Map<number, number>, placeOf: (side: number) => readonly [number, number]): number[][] {
  const rings: number[][] = [];
  for (const start of next.keys()) {
    const ring: number[] = [];
    for (let side: number | undefined = start; side !== undefined;) {
      ring.push(...placeOf(side));
      const following: number | undefined = next.get(side);
      next.delete(side);
      side = following === start ? undefined : following;
    }
    rings.push(ring);
  }
  return rings;
}

/** Where the field is 0 on a side. */
function crossing(field: Float32Array, { xs, ys }: FieldPlaces, side: number): readonly [number, number] {
  const corner = side >> 1;
  const [column, row] = [corner % xs.length, Math.floor(corner / xs.length)];
  const isVertical = side % 2 === 1;
  const [one, other] = [field[corner]!, field[corner + (isVertical ? xs.length : 1)]!];
  const share = one / (one - other);
  const along = (places: readonly number[], at: number) => places[at]! + share * (places[at + 1]! - places[at]!);
  return isVertical ? [xs[column]!, along(ys, row)] : [along(xs, column), ys[row]!];
}
