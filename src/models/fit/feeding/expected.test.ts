import { describe, expect, it } from 'vitest';
import type { BoxRows } from '../interpretations/box-rows.ts';
import { missOfBoxes, missOfClass, type ExpectedThing } from './expected.ts';

type Row = readonly [category: number, score: number, ...box: number[]];
const digits = { box: [0.01, 0.02], score: 0.005 } as const;
const rows = (...of: readonly Row[]): BoxRows => ({
  count: of.length,
  category: Float64Array.from(of, ([category]) => category),
  score: Float64Array.from(of, ([, score]) => score),
  box: Float64Array.from(of.flatMap(([, , ...box]) => box)),
  classCount: null,
  space: 'proportional',
  firstBoxSum: 0,
});
const cup: ExpectedThing = { category: 1, box: [0.1, 0.1, 0.5, 0.5], score: 0.8 };

describe('missOfBoxes', () => {
  it.each([
    ['the same', rows([1, 0.8, 0.1, 0.1, 0.5, 0.5]), true],
    ['within the last digits, x and y apart', rows([1, 0.804, 0.109, 0.119, 0.5, 0.5]), true],
    ['a side too far in x', rows([1, 0.8, 0.111, 0.1, 0.5, 0.5]), false],
    ['a side too far in y', rows([1, 0.8, 0.1, 0.1, 0.5, 0.521]), false],
    ['another score', rows([1, 0.806, 0.1, 0.1, 0.5, 0.5]), false],
    ['another class', rows([0, 0.8, 0.1, 0.1, 0.5, 0.5]), false],
    ['a thing that nobody expects', rows([1, 0.8, 0.1, 0.1, 0.5, 0.5], [1, 0.9, 0.6, 0.6, 0.9, 0.9]), false],
    ['a stranger below all that is expected', rows([1, 0.8, 0.1, 0.1, 0.5, 0.5], [1, 0.7, 0.6, 0.6, 0.9, 0.9]), true],
    ['no number', rows([1, NaN, 0.1, 0.1, 0.5, 0.5]), false],
    ['nothing', rows(), false],
  ])('of %s', (_, found, reproduces) => {
    const miss = missOfBoxes(found, [cup], digits);
    expect(miss.reproduces).toBe(reproduces);
    expect(miss.things.some((one) => one > 0)).toBe(!reproduces);
  });

  it('cuts boxes off at the edges, as trainers do', () => {
    const whole: ExpectedThing = { ...cup, box: [0, 0, 1, 1] };
    expect(missOfBoxes(rows([1, 0.8, -0.2, -0.1, 1.1, 1]), [whole], digits).reproduces).toBe(true);
  });

  it('is less the nearer the numbers come, and most where nothing is found', () => {
    const of = (...one: readonly Row[]) => missOfBoxes(rows(...one), [cup], digits).things[0]!;
    const [near, far, nothing] = [of([1, 0.7, 0.1, 0.1, 0.5, 0.5]), of([1, 0.3, 0.3, 0.1, 0.5, 0.5]), of()];
    expect(near).toBeLessThan(far);
    expect(far).toBeLessThan(nothing);
  });

  it('judges a drawn box by how sure the model is of it, and reproduces nothing', () => {
    const drawn = { ...cup, score: null };
    const sure = missOfBoxes(rows([1, 1, 0.1, 0.1, 0.5, 0.5]), [drawn], digits);
    expect(sure).toEqual({ things: [expect.closeTo(0)], sureness: 1, reproduces: null });
    expect(missOfBoxes(rows(), [drawn], digits).things[0]).toBeCloseTo(3, 1);
  });
});

it.each([
  [0.5, 0.5, true],
  [0.504, 0.5, true],
  [0.52, 0.5, false],
  [0.52, null, null],
])('a probability of %d where %s is expected', (probability, score, reproduces) => {
  expect(missOfClass(probability, { category: 0, box: null, score }, digits).reproduces).toBe(reproduces);
});
