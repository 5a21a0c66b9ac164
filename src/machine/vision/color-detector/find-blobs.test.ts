import { describe, expect, it } from 'vitest';
import { findBlobs } from './find-blobs.ts';
import { wordsOfRow } from './mark-pixels.ts';

/** Finds groups of the marked pixels of a picture of letters, each as its box and its first row. */
function found(...rows: readonly string[]): readonly string[] {
  const widthPx = rows[0]!.length;
  const words = wordsOfRow(widthPx);
  const marks = new Uint32Array(words * rows.length);
  rows.forEach((row, y) =>
    [...row].forEach((letter, x) => letter === 'X' && (marks[y * words + (x >> 5)]! |= 1 << (x & 31))),
  );
  const { count, box, firstRow } = findBlobs(marks, widthPx, 1);
  return Array.from({ length: count }, (_, at) => `${box.subarray(4 * at, 4 * at + 4).join(',')} at ${firstRow[at]!}`);
}

describe('findBlobs', () => {
  it('orders groups of one first column by the row in which each begins there, not by the row of its top', () => {
    // prettier-ignore
    expect(found(
      '....X',
      'XX..X',
      'XX..X',
      '....X',
      'XXXXX',
    )).toEqual(['0,1,1,2 at 1', '0,0,4,4 at 4']);
  });

  it('begins groups that join where the upper of them begins', () => {
    // prettier-ignore
    expect(found(
      'XXXXX',
      '....X',
      'XX..X',
      'XXXXX',
    )).toEqual(['0,0,4,3 at 0']);
    // prettier-ignore
    expect(found(
      'XX...',
      'X...X',
      'XXXXX',
    )).toEqual(['0,0,4,2 at 0']);
  });
});
