import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../../src/machine/vision/tensor/tensor.ts';
import { compareOutputs, outputsAgree } from './compare-outputs.ts';

const floats = (...values: number[]): Tensor => ({
  dtype: 'float32',
  shape: [values.length],
  data: Float32Array.from(values),
});

const table = (shape: number[], ...values: number[]): Tensor => ({ ...floats(...values), shape });

describe('compareOutputs', () => {
  it.each([
    ['equal', floats(1, -2), floats(1, -2), { largest: 0, largestShare: 0 }, true],
    ['rounding', floats(100, 1), floats(100.5, 1), { largest: 0.5, largestShare: 0.005 }, true],
    ['other numbers', floats(100, 1), floats(100, 4), { largest: 3, largestShare: 0.03 }, false],
    ['another count', floats(1, 2), floats(1), { largest: null, largestShare: null }, false],
    ['NaN on both', floats(NaN, 1), floats(NaN, 1), { largest: 0, largestShare: 0 }, true],
    ['NaN on one', floats(NaN, 1), floats(0, 1), { largest: Infinity, largestShare: Infinity }, false],
    ['infinity on both', floats(Infinity, 1), floats(Infinity, 1), { largest: 0, largestShare: 0 }, true],
    ['infinity on one', floats(1, Infinity), floats(1, 3), { largest: Infinity, largestShare: Infinity }, false],
  ])('%s', (_, a, b, difference, agree) => {
    expect(compareOutputs({ y: a }, { y: b })).toEqual(difference);
    expect(outputsAgree(difference)).toBe(agree);
  });

  const agreeOn = (a: Record<string, Tensor>, b: Record<string, Tensor>) => outputsAgree(compareOutputs(a, b));

  it('measures a score by scores, whatever lies beside it: two boxes of 300 pixels, and no score', () => {
    const rows = table([1, 2, 5], 300, 200, 340, 280, 0.9, 120, 90, 310, 300, 0.7);
    const noScores = table([1, 2, 5], 300, 200, 340, 280, 0, 120, 90, 310, 300, 0);
    const columns = table([1, 5, 2], 300, 120, 200, 90, 340, 310, 280, 300, 0.9, 0.7);
    const noScoresAcross = table([1, 5, 2], 300, 120, 200, 90, 340, 310, 280, 300, 0, 0);
    expect(agreeOn({ y: rows }, { y: noScores })).toBe(false);
    expect(agreeOn({ y: columns }, { y: noScoresAcross })).toBe(false);
    const moved = table([1, 2, 5], 302, 200, 340, 280, 0.905, 120, 90, 310, 300, 0.7);
    expect(agreeOn({ y: rows }, { y: moved })).toBe(true);
  });

  it('measures each output by itself', () => {
    const boxes = table([1, 2, 4], 300, 200, 340, 280, 120, 90, 310, 300);
    const scores = table([1, 2], 0.9, 0.7);
    expect(agreeOn({ boxes, scores }, { boxes, scores: table([1, 2], 0, 0) })).toBe(false);
    expect(agreeOn({ boxes, scores }, { boxes, scores: table([1, 2], 0.905, 0.7) })).toBe(true);
  });

  /** Detections as some models list them: the score of each, and boxes and classes that tell it from the others. */
  const listed = (...rows: readonly (readonly [score: number, id: number])[]) => ({
    labels: table([1, rows.length], ...rows.map(([, id]) => id % 7)),
    boxes: table([1, rows.length, 4], ...rows.flatMap(([, id]) => [40 * id, 30 * id, 40 * id + 90, 30 * id + 60])),
    scores: table([1, rows.length], ...rows.map(([score]) => score)),
  });
  const three = listed([0.9, 1], [0.4004, 2], [0.4002, 3], [0.1, 4]);

  it('finds detections that rounding put in another order', () => {
    const swapped = listed([0.9, 1], [0.4003, 3], [0.4002, 2], [0.1, 4]);
    expect(compareOutputs(three, swapped).largest).toBeCloseTo(0.0002, 6);
    expect(agreeOn(three, swapped)).toBe(true);
  });

  it('takes another detection at the end of a long list, where rounding chose what comes last, and nowhere else', () => {
    const many = Array.from({ length: 46 }, (_, at) => [0.8 - at / 100, at + 10] as const);
    const long = (...last: (readonly [number, number])[]) => listed([0.9, 1], ...many, ...last);
    const said = long([0.3004, 2], [0.3002, 3], [0.1, 4]);
    expect(agreeOn(said, long([0.3004, 2], [0.3002, 3], [0.1, 5]))).toBe(true);
    expect(agreeOn(three, listed([0.9, 1], [0.4004, 2], [0.4002, 3], [0.1, 5]))).toBe(false);
    expect(agreeOn(said, long([0.3004, 2], [0.3002, 3], [0.05, 5]))).toBe(false);
    expect(agreeOn(said, long([0.3004, 5], [0.3002, 3], [0.1, 4]))).toBe(false);
    expect(agreeOn(said, long([0.3002, 3], [0.1, 4], [0.1, 5]))).toBe(false);
    const tied = long([0.3, 2], [0.1004, 3], [0.1, 4]);
    expect(agreeOn(tied, long([0.3, 2], [0.1004, 5], [0.1, 6]))).toBe(false);
  });

  it('finds no detection whose score, box or label is another', () => {
    const swapped = listed([0.9, 1], [0.4003, 3], [0.4002, 2], [0.1, 4]);
    const wrongLabels = { ...swapped, labels: three.labels };
    const wrongScores = { ...swapped, scores: table([1, 4], 0.9, 0.42, 0.4002, 0.1) };
    expect(agreeOn(three, wrongLabels)).toBe(false);
    expect(agreeOn(three, wrongScores)).toBe(false);
    expect(agreeOn(three, { ...three, scores: table([1, 4], 0, 0, 0, 0) })).toBe(false);
  });

  it('finds nothing in another place of a list that is in no order, nor among classes', () => {
    const head = listed([0.1, 1], [0.4, 2], [0.4, 3], [0.9, 4]);
    expect(agreeOn(head, listed([0.1, 1], [0.4, 3], [0.4, 2], [0.9, 4]))).toBe(false);
    const classes = table([1, 4], 0.9, 0.5, 0.4, 0.1);
    expect(agreeOn({ classes }, { classes: table([1, 4], 0.9, 0.4, 0.5, 0.1) })).toBe(false);
  });

  it('reads float16 by value', () => {
    const half = (bits: number): Tensor => ({ dtype: 'float16', shape: [1], data: Uint16Array.of(bits) });
    expect(compareOutputs({ y: half(0x3c00) }, { y: half(0x4000) }).largest).toBe(1);
  });

  it('misses an output that the other lacks', () => {
    expect(compareOutputs({ y: floats(1) }, {}).largest).toBeNull();
  });
});
