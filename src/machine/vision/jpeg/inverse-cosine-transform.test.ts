import { describe, expect, it } from 'vitest';
import { inverseCosineTransform } from './inverse-cosine-transform.ts';

/** The definition, step by step in numbers that do not wrap (ISO/IEC 13818-5): rows keep 3 bits below the point. */
function byDefinition(coefficients: readonly number[]): number[] {
  const [w1, w2, w3, w5, w6, w7] = [2841, 2676, 2408, 1609, 1108, 565];
  const block = [...coefficients];
  /** `at` gives the k-th of eight; `up` and `down` are the bits that are shifted in and out, `kept` those dropped between. */
  const pass = (at: (k: number) => number, up: number, kept: number, down: number): number[] => {
    const drop = (value: number): number => Math.floor((value + (kept === 0 ? 0 : 4)) / 2 ** kept);
    const turn = (value: number): number => Math.floor((181 * value + 128) / 256);
    const half = 2 ** (down - 1);
    const [sum, difference] = [(at(0) + at(4)) * 2 ** up + half, (at(0) - at(4)) * 2 ** up + half];
    const [s26, s62] = [drop(w2 * at(2) + w6 * at(6)), drop(w6 * at(2) - w2 * at(6))];
    const [s17, s71] = [drop(w1 * at(1) + w7 * at(7)), drop(w7 * at(1) - w1 * at(7))];
    const [s53, s35] = [drop(w5 * at(5) + w3 * at(3)), drop(w3 * at(5) - w5 * at(3))];
    const [left, right] = [s17 - s53, s71 - s35];
    const even = [sum + s26, difference + s62, difference - s62, sum - s26];
    const odd = [s17 + s53, turn(left + right), turn(left - right), s71 + s35];
    const sums = [...even.map((e, k) => e + odd[k]!), ...even.map((e, k) => e - odd[k]!).reverse()];
    return sums.map((whole) => Math.floor(whole / 2 ** down));
  };
  for (let y = 0; y < 8; y++) {
    const row = block.slice(8 * y, 8 * y + 8);
    block.splice(8 * y, 8, ...pass((k) => row[k]!, 11, 0, 8));
  }
  for (let x = 0; x < 8; x++) {
    const column = Array.from({ length: 8 }, (_, y) => block[8 * y + x]!);
    pass((k) => column[k]!, 8, 3, 14).forEach((sample, y) => (block[8 * y + x] = sample));
  }
  return block.map((sample) => Math.max(0, Math.min(255, sample + 128)));
}

function transformed(coefficients: readonly number[]): number[] {
  const plane = new Uint8ClampedArray(64);
  inverseCosineTransform(Int32Array.from(coefficients), 0, plane, 0, 8);
  return [...plane];
}

const only = (at: number, value: number): number[] => Array.from({ length: 64 }, (_, i) => (i === at ? value : 0));
/** A fixed row of numbers (Park and Miller), so that a failure comes back. */
function* dice(): Generator<number, never> {
  for (let seed = 7; ;) yield (seed = (seed * 48271) % 2147483647) / 2147483647;
}

describe('the inverse cosine transform', () => {
  it.each([
    ['nothing', only(0, 0), 128],
    ['a level', only(0, 8), 129],
    ['half a level, rounded up', only(0, 4), 129],
    ['less than half a level', only(0, 3), 128],
    ['half a level below, rounded up', only(0, -4), 128],
    ['more than white', only(0, 2000), 255],
    ['less than black', only(0, -2000), 0],
  ])('of %s is flat', (_, coefficients, sample) => {
    expect(transformed(coefficients)).toEqual(new Array(64).fill(sample));
  });

  it('is what its definition says, for each coefficient alone and for blocks of all sizes', () => {
    const next = dice();
    const blocks = Array.from({ length: 64 }, (_, at) => only(at, at % 2 === 0 ? 300 : -517));
    // The least roundings show in one sample of some thousands.
    for (let i = 0; i < 6000; i++) {
      const largest = 2 ** (1 + (i % 7)); // no sum leaves 32 bits
      const share = next.next().value;
      blocks.push(
        Array.from({ length: 64 }, () =>
          next.next().value < share ? Math.round((2 * next.next().value - 1) * largest) : 0,
        ),
      );
    }
    const isOther = (block: readonly number[]) => String(transformed(block)) !== String(byDefinition(block));
    expect(blocks.filter(isOther)).toEqual([]);
  });

  it('writes into its place in a plane, and nowhere else', () => {
    const plane = new Uint8ClampedArray(200).fill(7);
    inverseCosineTransform(Int32Array.from([9, 9, ...only(1, 80), ...only(0, 0)].slice(0, 130)), 2, plane, 21, 11);
    const block = transformed(only(1, 80));
    const expected = new Uint8ClampedArray(200).fill(7);
    block.forEach((sample, i) => (expected[21 + 11 * (i >> 3) + (i & 7)] = sample));
    expect(plane).toEqual(expected);
  });
});
