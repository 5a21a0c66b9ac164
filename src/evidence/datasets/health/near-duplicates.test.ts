import { describe, expect, it } from 'vitest';
import { differenceHash } from './difference-hash.ts';
import { candidatePairs, groupNearDuplicates } from './near-duplicates.ts';

/** Seeded random numbers by SplitMix64 (Steele et al., 2014). */
function randomHashes(count: number, seed: bigint): bigint[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  });
}

const distance = (a: bigint, b: bigint) => (a ^ b).toString(2).replaceAll('0', '').length;
const flipped = (hash: bigint, bits: readonly number[]) => bits.reduce((sum, bit) => sum ^ (1n << BigInt(bit)), hash);
const named = (hashes: readonly bigint[]) => hashes.map((hash, i) => ({ contentId: String(i), hash }));

describe('groupNearDuplicates', () => {
  it.each([0, 1, 3, 5, 12])('finds at %i bits what comparing every pair finds', (maxDistance) => {
    const seeds = randomHashes(60, 7n);
    // Copies with more and more flipped bits, whose positions cover all bands.
    const hashes = seeds.flatMap((hash, i) => [
      hash,
      flipped(
        hash,
        Array.from({ length: i % 14 }, (_, k) => (i * 5 + k * 11) % 64),
      ),
    ]);
    const pairs = new Set<string>();
    for (const [i, a] of hashes.entries())
      for (let j = 0; j < i; j++) if (distance(a, hashes[j]!) <= maxDistance) pairs.add(`${j},${i}`);
    const groups = groupNearDuplicates(named(hashes), maxDistance);
    const together = new Set(
      groups.flatMap((group) =>
        group.flatMap((a) => group.flatMap((b) => (Number(a) < Number(b) ? [`${a},${b}`] : []))),
      ),
    );
    expect(together).toEqual(pairs);
    expect(pairs.size).toBeGreaterThan(0);
  });

  it('groups through pictures in between, and equal hashes at once', () => {
    const hash = 0xf0f0f0f0f0f0f0f0n;
    const chain = [hash, flipped(hash, [0, 1]), flipped(hash, [0, 1, 2, 3]), hash, ~hash & 0xffffffffffffffffn];
    expect(groupNearDuplicates(named(chain), 2)).toEqual([['0', '3', '1', '2']]);
  });

  it('looks at few of the fifty million pairs of ten thousand pictures, and finds all copies', () => {
    const originals = randomHashes(9_900, 1n);
    const copies = originals.slice(0, 100).map((hash, i) => flipped(hash, [i % 64, (i * 7 + 3) % 64]));
    const hashes = [...originals, ...copies];
    let candidates = 0;
    for (const _pair of candidatePairs(hashes, 5)) candidates++;
    expect(candidates).toBeLessThan(50_000_000 / 50);
    const groups = groupNearDuplicates(named(hashes), 5);
    expect(groups).toHaveLength(100);
    for (const group of groups) expect(Number(group[1]) - Number(group[0])).toBe(9_900);
  });

  it('takes ten thousand copies of one picture', () => {
    expect(groupNearDuplicates(named(Array.from({ length: 10_000 }, () => 5n)), 5)[0]).toHaveLength(10_000);
  });

  it.each([-1, 13, 1.5])('refuses a distance of %d', (maxDistance) => {
    expect(() => groupNearDuplicates(named([1n]), maxDistance)).toThrow(RangeError);
  });
});

describe('differenceHash', () => {
  const grey = (widthPx: number, heightPx: number, at: (x: number, y: number) => number) => ({
    widthPx,
    heightPx,
    samples: Uint8Array.from({ length: widthPx * heightPx }, (_, i) =>
      at((i % widthPx) / widthPx, Math.floor(i / widthPx) / heightPx),
    ),
  });

  it.each([
    ['brightness that rises', (x: number) => 250 * x, 0xffffffffffffffffn],
    ['brightness that falls', (x: number) => 250 * (1 - x), 0n],
    ['one brightness', () => 100, 0n],
    ['rising above, falling below', (x: number, y: number) => (y < 0.5 ? 250 * x : 250 * (1 - x)), 0xffffffff00000000n],
  ])('of %s', (_, at, hash) => {
    expect(differenceHash(grey(9, 8, at))).toBe(hash);
    expect(differenceHash(grey(90, 80, at))).toBe(hash);
  });

  it('counts each pixel in one cell, where the sides do not divide and where they do', () => {
    const of = (widthPx: number, heightPx: number, at: (column: number, row: number) => number) =>
      differenceHash(grey(widthPx, heightPx, (x, y) => at(Math.round(x * widthPx), Math.round(y * heightPx))));
    // The ninth cell averages the last two pixels, and the eighth row of cells the last two rows.
    expect(of(10, 8, (column) => (column % 2) * 200)).toBe(0xaaaaaaaaaaaaaaaan);
    expect(of(9, 9, (column, row) => (row % 2 ? 10 * (8 - column) : 20 * column))).toBe(0xff00ff00ff00ffffn);
    // Only the last pixel of a cell makes it brighter than the cell before.
    expect(of(18, 8, (column) => (column % 2) * column)).toBe(0xffffffffffffffffn);
    expect(of(9, 16, (column, row) => (row % 2) * column)).toBe(0xffffffffffffffffn);
  });

  it('hardly changes with size and brightness, and differs for other pictures', () => {
    const scene = (x: number, y: number) => 120 + 80 * Math.sin(7 * x + 3 * y) * Math.cos(5 * y);
    const other = (x: number, y: number) => 120 + 80 * Math.cos(9 * x - 2 * y);
    const hash = differenceHash(grey(72, 64, scene));
    expect(distance(hash, differenceHash(grey(45, 33, scene)))).toBeLessThanOrEqual(5);
    expect(distance(hash, differenceHash(grey(72, 64, (x, y) => 0.7 * scene(x, y) + 20)))).toBeLessThanOrEqual(2);
    expect(distance(hash, differenceHash(grey(72, 64, other)))).toBeGreaterThan(15);
  });
});
