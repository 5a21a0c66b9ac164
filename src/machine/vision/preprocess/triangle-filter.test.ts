import { describe, expect, it } from 'vitest';
import { triangleFilter, type Filter } from './triangle-filter.ts';

const weightsOf = ({ taps, start, weights }: Filter, i: number) => ({
  start: start[i],
  weights: [...weights.slice(i * taps, (i + 1) * taps)],
});

describe('triangleFilter', () => {
  it('widens when shrinking: 4 → 2 reaches one sample past each pair, the edges repeated', () => {
    const filter = triangleFilter(4, 2, 8);
    expect(filter.taps).toBe(4);
    expect(weightsOf(filter, 0)).toEqual({ start: 0, weights: [64 + 192, 192, 64, 0] });
    expect(weightsOf(filter, 1)).toEqual({ start: 1, weights: [64, 192, 192 + 64, 0] });
    expect([...filter.total]).toEqual([512, 512]);
  });

  it('truncates each weight: 37 → 10', () => {
    // scale 3.7, 8 taps around 1.35: trunc(256·(1 − |3.35 − t| / 3.7)), the first three on sample 0
    const filter = triangleFilter(37, 10, 8);
    expect(filter.taps).toBe(8);
    expect(weightsOf(filter, 0)).toEqual({ start: 0, weights: [24 + 93 + 162, 231, 211, 141, 72, 3, 0, 0] });
    expect(filter.total[0]).toBe(937);
  });

  it('interpolates when enlarging: 2 → 4, where the first centre −0.25 is cut to 0, not floored', () => {
    const filter = triangleFilter(2, 4, 8);
    expect([0, 1, 2, 3].map((i) => weightsOf(filter, i))).toEqual([
      { start: 0, weights: [192, 0] },
      { start: 0, weights: [192, 64] },
      { start: 0, weights: [64, 192] },
      { start: 1, weights: [192 + 64, 0] },
    ]);
    expect([...filter.total]).toEqual([192, 256, 256, 256]);
  });

  it('counts in 1/65536 for 16-bit samples', () => {
    expect(weightsOf(triangleFilter(2, 4, 16), 1)).toEqual({ start: 0, weights: [49152, 16384] });
  });

  it('leaves an axis of equal size alone', () => {
    const filter = triangleFilter(3, 3, 8);
    expect([0, 1, 2].map((i) => weightsOf(filter, i))).toEqual([
      { start: 0, weights: [256, 0] },
      { start: 1, weights: [256, 0] },
      { start: 2, weights: [256, 0] },
    ]);
  });

  it('puts everything on the only sample of a source of length 1', () => {
    const filter = triangleFilter(1, 3, 8);
    expect([...filter.start]).toEqual([0, 0, 0]);
    for (let i = 0; i < 3; i++) expect(weightsOf(filter, i).weights[1]).toBe(0);
  });
});
