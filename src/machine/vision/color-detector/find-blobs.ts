import { wordsOfRow } from './mark-pixels.ts';

/** Connected groups of pixels, as columns, in the order in which the machine finds them. */
export interface Blobs {
  readonly count: number;
  /** first and last column and row of each: xMin, yMin, xMax, yMax, the last included */
  readonly box: Int32Array;
  /** the row of the first pixel of each, in its first column */
  readonly firstRow: Int32Array;
}

/**
 * Computes the area of a box by which the machine compares groups: last minus first column, times last minus first row.
 * @param box first and last column and row of each, as in `Blobs`
 * @param at where the box begins
 * @returns px²; 0: a group of one column or row
 * @example
 * boxAreaAt([10, 20, 40, 30], 0); // => 300
 */
export function boxAreaAt(box: ArrayLike<number>, at: number): number {
  return (box[at + 2]! - box[at]!) * (box[at + 3]! - box[at + 1]!);
}

/**
 * Finds the groups of marked pixels that touch above, below, left or right. The machine floods from each pixel that it
 * finds, column by column; here each row is read once as runs, and runs that touch are joined.
 * @param marks of `markPixels`
 * @param widthPx width of the picture
 * @param minAreaPx a group whose box is smaller, by last minus first column and row, is left out
 * @returns the groups in the order of their first pixels, column by column from the left
 * @example
 * [...findBlobs(Uint32Array.of(0b011, 0b001), 3, 1).box]; // => [0, 0, 1, 1]
 */
export function findBlobs(marks: Uint32Array, widthPx: number, minAreaPx: number): Blobs {
  const groups = new Groups();
  const words = wordsOfRow(widthPx);
  // The runs of the row above and of this one.
  let above = newRow(widthPx);
  let here = newRow(widthPx);
  for (let y = 0, row = 0; row < marks.length; y++, row += words) {
    findRuns(marks, row, words, widthPx, here);
    joinRows(groups, above, here, y);
    const spare = above;
    above = here;
    here = spare;
  }
  return groups.blobs(minAreaPx);
}

/** Runs of a row: where each begins and the column behind it, in turn; and the group of each. */
interface Row {
  readonly edges: Int32Array;
  readonly group: Int32Array;
  count: number;
}

function newRow(widthPx: number): Row {
  const runs = (widthPx >> 1) + 1;
  return { edges: new Int32Array(2 * runs), group: new Int32Array(runs), count: 0 };
}

/** Looks only at the bits that differ from the one before. */
function findRuns(marks: Uint32Array, row: number, words: number, widthPx: number, runs: Row): void {
  const { edges } = runs;
  let count = 0;
  let before = 0;
  for (let at = 0; at < words; at++) {
    const word = marks[row + at]!;
    let changes = word ^ ((word << 1) | before);
    before = word >>> 31;
    while (changes !== 0) {
      edges[count++] = 32 * at + 31 - Math.clz32(changes & -changes);
      changes &= changes - 1;
    }
  }
  if (count & 1) edges[count++] = widthPx;
  runs.count = count >> 1;
}

/** Gives each run of a row its group: that of the runs above that it touches, which become one, or a new one. */
function joinRows(groups: Groups, above: Row, here: Row, y: number): void {
  let up = 0;
  for (let run = 0; run < here.count; run++) {
    const first = here.edges[2 * run]!;
    const end = here.edges[2 * run + 1]!;
    while (up < above.count && above.edges[2 * up + 1]! <= first) up++;
    let group = -1;
    for (let touched = up; touched < above.count && above.edges[2 * touched]! < end; touched++)
      group = group < 0 ? groups.rootOf(above.group[touched]!) : groups.join(group, above.group[touched]!);
    here.group[run] = group < 0 ? groups.add(first, end - 1, y) : groups.extend(group, first, end - 1, y);
  }
}

/** Six numbers a group: its parent, its box, and the first row of its first column. */
const stride = 6;

/** Kept from picture to picture: noise has so many groups that new memory takes as long as to find them. At most 8 MiB. */
let room = new Int32Array(256 * stride);
const mostRoom = 2 ** 21;

/** Groups that grow and join (union–find); only those that are their own parent are left in the end. */
class Groups {
  #data = room;
  #count = 0;

  add(first: number, last: number, y: number): number {
    const at = this.#count * stride;
    if (at === this.#data.length) {
      const grown = new Int32Array(2 * this.#data.length);
      grown.set(this.#data);
      this.#data = grown;
      if (grown.length <= mostRoom) room = grown;
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
    return { count: kept.length, box, firstRow: Int32Array.from(kept, (at) => data[at + 5]!) };
  }
}
