import type { BoxColumns } from '../evaluation.ts';

/** Rows of a set, those of a label together, inside it those of an image, inside it in input order. */
export interface GroupedRows {
  readonly rows: Uint32Array;
  /** the rows of label l stand at labelStart[l] up to labelStart[l + 1] */
  readonly labelStart: Uint32Array;
}

/** Groups a set once, by two counting sorts: its cost follows the rows, not labels × images. */
export function groupRows(columns: BoxColumns, imageCount: number, labelCount: number): GroupedRows {
  const byImage = countingSort(range(columns.count), columns.image, imageCount).rows;
  const { rows, start } = countingSort(byImage, columns.label, labelCount);
  return { rows, labelStart: start };
}

function range(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let at = 0; at < count; at++) rows[at] = at;
  return rows;
}

function countingSort(
  rows: Uint32Array,
  keys: Uint32Array,
  keyCount: number,
): { readonly rows: Uint32Array; readonly start: Uint32Array } {
  const start = new Uint32Array(keyCount + 1);
  for (const row of rows) {
    const key = keys[row]!;
    if (key >= keyCount) throw new RangeError(`Row ${row} has number ${key}, and there are ${keyCount}.`);
    start[key + 1]!++;
  }
  for (let key = 0; key < keyCount; key++) start[key + 1]! += start[key]!;
  const next = start.slice();
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) sorted[next[keys[row]!]!++] = row;
  return { rows: sorted, start };
}

/** Sorts `rows`, which ascend, by score, the highest first; equal ones keep their order. */
export function sortByScore(rows: Uint32Array, score: Float64Array): Uint32Array {
  // Insertion is the fastest for what one image has of one label.
  if (rows.length > 24) return rows.sort((a, b) => score[b]! - score[a]! || a - b);
  for (let at = 1; at < rows.length; at++) {
    const row = rows[at]!;
    const own = score[row]!;
    let to = at;
    for (; to > 0 && score[rows[to - 1]!]! < own; to--) rows[to] = rows[to - 1]!;
    rows[to] = row;
  }
  return rows;
}
