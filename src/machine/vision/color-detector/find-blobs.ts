import { belowRedPart, bluePart, greenPart, redPart, type PixelTest } from './pixel-test.ts';

/** Connected groups of pixels, as columns, in the order in which the machine finds them. */
export interface Blobs {
  readonly count: number;
  /** first and last column and row of each: xMin, yMin, xMax, yMax, the last included */
  readonly box: Int32Array;
}

/** The area of a box by which the machine compares groups: last minus first column, times last minus first row, in px². */
export function boxAreaAt(box: Int32Array, at: number): number {
  return (box[at + 2]! - box[at]!) * (box[at + 3]! - box[at + 1]!);
}

/**
 * Finds the groups of pixels that pass a test and touch above, below, left or right. The machine floods from each pixel
 * that it finds, column by column; here each row is read once as runs, and runs that touch are joined.
 * @param pixels one number a pixel: red + 256 · green + 65536 · blue, row by row from the top left
 * @param widthPx width of the picture
 * @param test of `pixelTest`
 * @param minAreaPx a group whose box is smaller, by last minus first column and row, is left out
 * @returns the groups in the order of their first pixels, column by column from the left
 * @example
 * import { pixelTest } from './pixel-test.ts';
 * const test = pixelTest({ hueDeg: 0, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3 });
 * const pixels = Uint32Array.of(255, 0, 0, 255, 255, 0);
 * [...findBlobs(pixels, 3, test, 1).box]; // => [0, 0, 1, 1]
 */
export function findBlobs(pixels: Uint32Array, widthPx: number, test: PixelTest, minAreaPx: number): Blobs {
  const groups = new Groups();
  // The runs of the row above and of this one.
  let above = newRow(widthPx);
  let here = newRow(widthPx);
  let aboveCount = 0;
  for (let y = 0, row = 0; row < pixels.length; y++, row += widthPx) {
    const count = findRuns(pixels, row, widthPx, test, here);
    joinRows(groups, above, aboveCount, here, count, y);
    const spare = above;
    above = here;
    here = spare;
    aboveCount = count;
  }
  return groups.blobs(minAreaPx);
}

/** Finds the runs of one row. Most of a frame's time is spent here: everything is a local, and nothing is called. */
function findRuns(pixels: Uint32Array, row: number, widthPx: number, test: PixelTest, runs: Row): number {
  const { lowestChroma, from, more, isInverted } = test;
  const { first, last } = runs;
  let count = 0;
  let start = -1;
  for (let x = 0; x < widthPx; x++) {
    const pixel = pixels[row + x]!;
    const red = pixel & 255;
    const green = (pixel >>> 8) & 255;
    const blue = (pixel >>> 16) & 255;
    // Largest and smallest without a branch, which a processor would often guess wrongly: a difference, where it is below 0.
    const redLess = (red - green) & ((red - green) >> 31);
    const most = red - redLess;
    const least = green + redLess;
    const value = most - ((most - blue) & ((most - blue) >> 31));
    const chroma = value - (blue + ((least - blue) & ((least - blue) >> 31)));
    let passes = chroma >= lowestChroma[value]!;
    if (passes) {
      let difference = green - blue;
      let at = chroma + (difference < 0 ? belowRedPart << 8 : redPart << 8);
      if (value === blue) {
        difference = red - green;
        at = chroma + (bluePart << 8);
      } else if (value === green) {
        difference = blue - red;
        at = chroma + (greenPart << 8);
      }
      const past = difference - from[at]!;
      passes = (past >= 0 && past <= more[at]!) !== isInverted;
    }
    if (passes) {
      if (start < 0) start = x;
    } else if (start >= 0) {
      first[count] = start;
      last[count++] = x - 1;
      start = -1;
    }
  }
  if (start >= 0) {
    first[count] = start;
    last[count++] = widthPx - 1;
  }
  return count;
}

/** First and last column of each run, and its group. */
interface Row {
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly group: Int32Array;
}

function newRow(widthPx: number): Row {
  const runs = (widthPx >> 1) + 1;
  return { first: new Int32Array(runs), last: new Int32Array(runs), group: new Int32Array(runs) };
}

/** Gives each run of a row its group: that of the runs above that it touches, which become one, or a new one. */
function joinRows(groups: Groups, above: Row, aboveCount: number, here: Row, count: number, y: number): void {
  let up = 0;
  for (let run = 0; run < count; run++) {
    const first = here.first[run]!;
    const last = here.last[run]!;
    while (up < aboveCount && above.last[up]! < first) up++;
    let group = -1;
    for (let touched = up; touched < aboveCount && above.first[touched]! <= last; touched++)
      group = group < 0 ? groups.rootOf(above.group[touched]!) : groups.join(group, above.group[touched]!);
    here.group[run] = group < 0 ? groups.add(first, last, y) : groups.extend(group, first, last, y);
  }
}

/** Six numbers a group: its parent, its box, and the first row of its first column. */
const stride = 6;

/** Groups that grow and join (union–find); only those that are their own parent are left in the end. */
class Groups {
  #data = new Int32Array(256 * stride);
  #count = 0;

  add(first: number, last: number, y: number): number {
    const at = this.#count * stride;
    if (at === this.#data.length) {
      const grown = new Int32Array(2 * this.#data.length);
      grown.set(this.#data);
      this.#data = grown;
    }
    const data = this.#data;
    data[at] = this.#count;
    data[at + 1] = first;
    data[at + 2] = y;
    data[at + 3] = last;
    data[at + 4] = y;
    data[at + 5] = y;
    return this.#count++;
  }

  rootOf(group: number): number {
    const data = this.#data;
    let root = group;
    while (data[root * stride] !== root) {
      const parent = data[root * stride]!;
      data[root * stride] = data[parent * stride]!; // halve the way for the next
      root = data[root * stride]!;
    }
    return root;
  }

  extend(group: number, first: number, last: number, y: number): number {
    const data = this.#data;
    const at = group * stride;
    if (first < data[at + 1]!) {
      data[at + 1] = first;
      data[at + 5] = y;
    }
    if (last > data[at + 3]!) data[at + 3] = last;
    data[at + 4] = y; // rows come from above
    return group;
  }

  join(root: number, other: number): number {
    const otherRoot = this.rootOf(other);
    if (otherRoot === root) return root;
    const data = this.#data;
    const [to, from] = [root * stride, otherRoot * stride];
    data[from] = root;
    const isLeftmost = data[from + 1]! < data[to + 1]!;
    if (isLeftmost || (data[from + 1] === data[to + 1] && data[from + 5]! < data[to + 5]!))
      data[to + 5] = data[from + 5]!;
    if (isLeftmost) data[to + 1] = data[from + 1]!;
    data[to + 2] = Math.min(data[to + 2]!, data[from + 2]!);
    data[to + 3] = Math.max(data[to + 3]!, data[from + 3]!);
    data[to + 4] = Math.max(data[to + 4]!, data[from + 4]!);
    return root;
  }

  blobs(minAreaPx: number): Blobs {
    const data = this.#data;
    const kept: number[] = [];
    for (let group = 0, at = 0; group < this.#count; group++, at += stride) {
      if (data[at] === group && boxAreaAt(data, at + 1) >= minAreaPx) kept.push(at);
    }
    kept.sort((a, b) => data[a + 1]! - data[b + 1]! || data[a + 5]! - data[b + 5]!);
    const box = new Int32Array(4 * kept.length);
    kept.forEach((at, i) => box.set(data.subarray(at + 1, at + 5), 4 * i));
    return { count: kept.length, box };
  }
}
