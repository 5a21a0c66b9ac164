import { traceRings } from './trace-rings.ts';

/** Maps that masks are sums of. */
export interface MaskPrototypes {
  /** map after map, row by row */
  readonly values: Float32Array;
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** xMin, yMin, xMax, yMax on the frame, in proportion to it; beyond 0..1 where the model's input has a border */
  readonly place: Corners;
}

/** xMin, yMin, xMax, yMax */
type Corners = readonly [number, number, number, number];

/** Value of the places outside the box. */
const outside = -1;

/**
 * Outlines the part of a box where the weighted sum of prototypes is above 0. Between the middles of the prototypes' cells the sum is
 * bilinear, as the authors' code enlarges it.
 * @param prototypes the maps, and where they lie on the frame
 * @param weights one a prototype
 * @param box xMin, yMin, xMax, yMax, in proportion to the frame
 * @returns closed rings of x and y in proportion to the frame; [] where nothing of the box is inside
 * @example
 * const prototypes = { values: Float32Array.of(1, 1, 1, 1), count: 1, width: 2, height: 2, place: [0, 0, 1, 1] };
 * outlineMask(prototypes, [1], [0.25, 0.25, 0.75, 0.75])[0].every((value) => value >= 0.25 && value <= 0.75); // => true
 * outlineMask(prototypes, [-1], [0.25, 0.25, 0.75, 0.75]); // => []
 */
export function outlineMask(prototypes: MaskPrototypes, weights: ArrayLike<number>, box: Corners): readonly number[][] {
  const [xMin, yMin, xMax, yMax] = prototypes.place;
  const { width, height } = prototypes;
  // places in cells: the middle of the first cell is 0
  const columns = placesWithin(cellOf(box[0], xMin, xMax, width), cellOf(box[2], xMin, xMax, width));
  const rows = placesWithin(cellOf(box[1], yMin, yMax, height), cellOf(box[3], yMin, yMax, height));
  if (columns.length < 2 || rows.length < 2) return [];
  const sums = sumOver(prototypes, weights, columns, rows);
  const field = sampled(sums, columns, rows);
  const shares = (places: readonly number[], from: number, to: number, cells: number) =>
    places.map((place) => from + ((place + 0.5) / cells) * (to - from));
  return traceRings(bordered(field, columns.length, rows.length), {
    xs: withEnds(shares(columns, xMin, xMax, width)),
    ys: withEnds(shares(rows, yMin, yMax, height)),
  });
}

const cellOf = (share: number, from: number, to: number, cells: number): number =>
  ((share - from) / (to - from)) * cells - 0.5;

/** Both ends, and the whole numbers between them. */
function placesWithin(from: number, to: number): readonly number[] {
  if (!(to > from)) return [];
  const first = Math.floor(from) + 1;
  const between = Array.from({ length: Math.max(0, Math.ceil(to) - first) }, (_, k) => first + k);
  return [from, ...between, to];
}

interface Sums {
  readonly values: Float32Array;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The weighted sum of the prototypes over the cells around the places. */
function sumOver(
  { values, count, width, height }: MaskPrototypes,
  weights: ArrayLike<number>,
  columns: readonly number[],
  rows: readonly number[],
): Sums {
  const within = (place: number, cells: number) => Math.min(cells - 1, Math.max(0, place));
  const [left, right] = [within(Math.floor(columns[0]!), width), within(Math.ceil(columns.at(-1)!), width)];
  const [top, bottom] = [within(Math.floor(rows[0]!), height), within(Math.ceil(rows.at(-1)!), height)];
  const across = right - left + 1;
  const sums = new Float32Array(across * (bottom - top + 1));
  for (let k = 0; k < count; k++) {
    const weight = weights[k]!;
    for (let y = top, at = 0; y <= bottom; y++) {
      const from = (k * height + y) * width + left;
      for (let x = 0; x < across; x++) sums[at++]! += weight * values[from + x]!;
    }
  }
  return { values: sums, left, top, width: across, height: bottom - top + 1 };
}

/** The sum at each place: at whole ones as it is, at the box's edges between two cells. */
function sampled(
  { values, left, top, width, height }: Sums,
  columns: readonly number[],
  rows: readonly number[],
): Float32Array {
  const across = columns.map((place) => between(place - left, width));
  const field = new Float32Array(columns.length * rows.length);
  let at = 0;
  for (const row of rows) {
    const { from: upper, to: lower, share: down } = between(row - top, height);
    for (const { from, to, share } of across) {
      const above = values[upper * width + from]! * (1 - share) + values[upper * width + to]! * share;
      const below = values[lower * width + from]! * (1 - share) + values[lower * width + to]! * share;
      field[at++] = above * (1 - down) + below * down;
    }
  }
  return field;
}

/** The two cells around a place, and how far it is from the first; beyond the last cell its value goes on. */
function between(place: number, cells: number): { readonly from: number; readonly to: number; readonly share: number } {
  const kept = Math.min(cells - 1, Math.max(0, place));
  const from = Math.floor(kept);
  return { from, to: Math.min(cells - 1, from + 1), share: kept - from };
}

/** A field with a border that is outside, so that every ring is closed. */
function bordered(field: Float32Array, width: number, height: number): Float32Array {
  const wide = new Float32Array((width + 2) * (height + 2)).fill(outside);
  for (let y = 0; y < height; y++) wide.set(field.subarray(y * width, (y + 1) * width), (y + 1) * (width + 2) + 1);
  return wide;
}

/** The border lies on the edges of the box: nothing is drawn beyond them. */
const withEnds = (places: readonly number[]): readonly number[] => [places[0]!, ...places, places.at(-1)!];
