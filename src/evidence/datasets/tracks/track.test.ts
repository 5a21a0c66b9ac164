import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NormalizedBox } from '../../../machine/vision/results/normalized-box.ts';
import { isSamePlace, trackAt, type KeyFrame } from './track.ts';

const place = (xMin: number, yMin: number, xMax: number, yMax: number): NormalizedBox => ({
  xMinNormalized: xMin,
  yMinNormalized: yMin,
  xMaxNormalized: xMax,
  yMaxNormalized: yMax,
});
const key = (at: number, box: NormalizedBox, isLast = false): KeyFrame => ({ at, box, isLast });

describe('a track', () => {
  const keys = [
    key(10, place(0, 0.2, 0.2, 0.4)),
    key(20, place(0.5, 0.4, 0.8, 0.4), true),
    key(30, place(0.1, 0.1, 0.2, 0.2)),
  ];

  it.each([
    [9, null, 'before it begins'],
    [10, [0, 0.2, 0.2, 0.4], 'at a key frame'],
    [11, [0.05, 0.22, 0.26, 0.4], 'a tenth of the way'],
    [15, [0.25, 0.3, 0.5, 0.4], 'half way'],
    [20, [0.5, 0.4, 0.8, 0.4], 'where it ends'],
    [21, null, 'after it has ended'],
    [29, null, 'before it begins again'],
    [30, [0.1, 0.1, 0.2, 0.2], 'where it begins again'],
    [99, [0.1, 0.1, 0.2, 0.2], 'after the last key frame, which does not end it'],
  ])('at %d is %j: %s', (at, corners, _why) => {
    const found = trackAt(keys, at);
    const rounded = found && Object.values(found.corners).map((edge) => Math.round(edge * 1e9) / 1e9);
    expect(rounded).toEqual(corners);
  });

  it('without key frames is nowhere', () => {
    expect(trackAt([], 3)).toBeNull();
  });
});

const part = fc.double({ min: 0, max: 1, noNaN: true });
const box = fc
  .tuple(part, part, part, part)
  .map(([a, b, c, d]) => place(Math.min(a, b), Math.min(c, d), Math.max(a, b), Math.max(c, d)));
const pair = fc.record({ first: box, last: box, start: fc.nat(1000), length: fc.integer({ min: 1, max: 500 }) });
const edges = ['xMinNormalized', 'yMinNormalized', 'xMaxNormalized', 'yMaxNormalized'] as const;

describe('between two key frames', () => {
  it('each corner goes in equal steps, and never beside the two', () => {
    fc.assert(
      fc.property(pair, ({ first, last, start, length }) => {
        const keys = [key(start, first), key(start + length, last)];
        const all = Array.from({ length: length + 1 }, (_, step) => trackAt(keys, start + step)!.corners);
        expect(all[0]).toEqual(first);
        expect(all[length]).toEqual(last);
        for (const edge of edges) {
          const stepSize = (last[edge] - first[edge]) / length;
          for (const [step, corners] of all.entries()) {
            expect(corners[edge]).toBeCloseTo(first[edge] + step * stepSize, 12);
            expect(corners[edge]).toBeGreaterThanOrEqual(Math.min(first[edge], last[edge]) - 1e-15);
            expect(corners[edge]).toBeLessThanOrEqual(Math.max(first[edge], last[edge]) + 1e-15);
          }
        }
        for (const { xMinNormalized, xMaxNormalized, yMinNormalized, yMaxNormalized } of all) {
          expect(xMinNormalized).toBeLessThanOrEqual(xMaxNormalized + 1e-15);
          expect(yMinNormalized).toBeLessThanOrEqual(yMaxNormalized + 1e-15);
        }
      }),
      { seed: 20261122 },
    );
  });

  it('backwards it is the same way, and a key frame on the way changes nothing', () => {
    fc.assert(
      fc.property(pair, fc.nat(), ({ first, last, start, length }, between) => {
        const at = start + (between % (length + 1));
        const there = trackAt([key(start, first), key(start + length, last)], at)!.corners;
        const back = trackAt([key(start, last), key(start + length, first)], 2 * start + length - at)!.corners;
        expect(isSamePlace(there, back)).toBe(true);
        fc.pre(at > start && at < start + length);
        const keys = [key(start, first), key(at, there), key(start + length, last)];
        for (const other of [start, at - 1, at, at + 1, start + length]) {
          const without = trackAt([key(start, first), key(start + length, last)], other)!.corners;
          expect(isSamePlace(trackAt(keys, other)!.corners, without)).toBe(true);
        }
      }),
      { seed: 20261122 },
    );
  });
});
