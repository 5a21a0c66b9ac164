import { describe, expect, it } from 'vitest';
import { TruthSetBuilder } from '../evaluation/build-sets.ts';
import { truthSha256 } from './truth-sha256.ts';

type Row = readonly [image: number, label: number, ...box: number[]];
const rows: readonly Row[] = [
  [0, 0, 1, 2, 30, 40],
  [0, 1, 5, 6, 70, 80],
  [1, 0, 9, 10, 11, 12],
];
const names = ['front/a.jpg', 'front/b.jpg'];

function hashOf(of: readonly Row[] = rows, images = names, labels = ['cup', 'plate']): string {
  const truth = new TruthSetBuilder();
  for (const [image, label, x, y, width, height] of of) truth.add(image, label, [x!, y!, width!, height!]);
  return truthSha256({ imageCount: images.length, labels }, truth.build(), images);
}

/** The rows with another value at one place of one of them. */
const changed = (row: number, at: number, by: number): Row[] =>
  rows.map((one, index) =>
    index === row ? (one.map((value, place) => (place === at ? value + by : value)) as unknown as Row) : one,
  );

describe('the hash of a truth', () => {
  it.each(rows.flatMap((_, row) => [2, 3, 4, 5].map((at) => [row, at] as const)))(
    'is another when row %i has another number at %i, from a hundredth of a pixel on',
    (row, at) => {
      expect(hashOf(changed(row, at, 0.01))).not.toBe(hashOf());
      expect(hashOf(changed(row, at, 0.001))).toBe(hashOf());
    },
  );

  it('is another when a box has another label, lies in another image, or is gone', () => {
    const others = [changed(1, 1, -1), changed(1, 0, 1), rows.slice(1), [...rows, rows[0]!]];
    expect(new Set([rows, ...others].map((of) => hashOf(of))).size).toBe(5);
  });

  it('is the same for the same boxes in another order, other folders, and labels in another order', () => {
    expect(hashOf([...rows].reverse())).toBe(hashOf());
    expect(hashOf(rows, ['b:\\stored\\a.jpg', 'b.jpg'])).toBe(hashOf());
    const swapped = rows.map(([image, label, ...box]): Row => [image, 1 - label, ...box]);
    expect(hashOf(swapped, names, ['plate', 'cup'])).toBe(hashOf());
    const moved = rows.map(([image, ...rest]) => [1 - image, ...rest] as unknown as Row);
    expect(hashOf(moved, [...names].reverse())).toBe(hashOf());
  });
});
