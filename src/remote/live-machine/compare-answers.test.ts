import { describe, expect, it } from 'vitest';
import { compareAnswers } from './compare-answers.ts';
import type { FrameAnswer } from './live-machine.ts';

const cat = { label: 'cat', score: 0.9, xMin: 1, yMin: 2, xMax: 30, yMax: 40 };
const dog = { label: 'dog', score: 0.8, xMin: 5, yMin: 6, xMax: 70, yMax: 80 };
const faint = { label: 'cup', score: 0.4, xMin: 9, yMin: 9, xMax: 20, yMax: 20 };
const boxes = (...detections: NonNullable<FrameAnswer['detections']>): FrameAnswer => ({
  detections,
  classifications: null,
});
const classes = (...classifications: NonNullable<FrameAnswer['classifications']>): FrameAnswer => ({
  detections: null,
  classifications,
});

describe('what is said of a frame on both sides', () => {
  it('is equal where every number is', () => {
    expect(compareAnswers(boxes(cat, dog), boxes({ ...cat }, { ...dog }))).toEqual({
      verdict: 'equal',
      largestScoreDifference: 0,
      differences: [],
      rows: 2,
    });
    expect(compareAnswers(boxes(), boxes()).verdict).toBe('equal');
  });

  it('tells by how much scores differ, of boxes and of classes', () => {
    expect(compareAnswers(boxes(cat, dog), boxes(cat, { ...dog, score: 0.75 }))).toMatchObject({
      verdict: 'scores-differ',
      differences: [],
      largestScoreDifference: expect.closeTo(0.05, 9),
    });
    const a = classes({ label: 'tabby', score: 0.5 });
    expect(compareAnswers(a, classes({ label: 'tabby', score: 0.25 })).largestScoreDifference).toBe(0.25);
  });

  it('takes NaN for NaN, and for nothing else', () => {
    const broken = boxes({ ...cat, score: NaN });
    expect(compareAnswers(broken, broken).verdict).toBe('equal');
    expect(compareAnswers(broken, boxes(cat)).largestScoreDifference).toBe(Infinity);
  });

  it.each([
    ['a label', boxes(cat), boxes({ ...cat, label: '0' }), ['label']],
    ['an edge of a box by two pixels', boxes(cat), boxes({ ...cat, xMax: 32 }), ['box']],
    ['each other edge', boxes(cat), boxes({ ...cat, xMin: 3, yMin: 0, yMax: 42 }), ['box']],
    ['one pixel, and the score with it', boxes(cat), boxes({ ...cat, xMax: 31, score: 0.9001 }), ['box']],
    ['one pixel, and another row', boxes(cat, dog), boxes({ ...cat, xMax: 31 }), ['box', 'only-here']],
    ['a row that is only here', boxes(cat, dog), boxes(dog), ['only-here']],
    ['a row that is only there', boxes(dog), boxes(cat, dog), ['only-there']],
    ['another order', boxes(cat, dog), boxes(dog, cat), ['order']],
    ['two of the same, once', boxes(cat, cat), boxes(cat), ['only-here']],
    ['classes', classes({ label: 'a', score: 1 }), classes({ label: 'b', score: 1 }), ['only-here', 'only-there']],
    ['an order of classes', classes(dog, cat), classes(cat, dog), ['order']],
  ])('differs by %s', (_, here, there, what) => {
    const { verdict, differences } = compareAnswers(here, there);
    expect(verdict).toBe('differs');
    expect(differences.map((difference) => difference.what)).toEqual(what);
  });

  const near = { ...dog, score: cat.score - 5e-7 };
  const far = { ...dog, score: cat.score - 5e-6 };
  it.each([
    ['an edge by one pixel', boxes(cat), boxes({ ...cat, xMax: 31 }), ['box']],
    ['every edge by one pixel', boxes(cat), boxes({ ...cat, xMin: 0, yMin: 3, xMax: 31, yMax: 39 }), ['box']],
    ['one pixel, and last digits', boxes(cat, dog), boxes({ ...cat, xMax: 31, score: 0.9 + 9e-8 }, dog), ['box']],
    ['the order of all but equal scores', boxes(cat, near), boxes(near, cat), ['order']],
    ['an order and a pixel', boxes(cat, near), boxes({ ...near, yMax: 81 }, cat), ['box', 'order']],
    ['an order of classes', classes(cat, near), classes(near, cat), ['order']],
  ])('differs by rounding only: %s', (_, here, there, what) => {
    const { verdict, differences } = compareAnswers(here, there);
    expect(verdict).toBe('rounding');
    expect(differences.map((difference) => difference.what)).toEqual(what);
    expect(differences.every(({ isRounding }) => isRounding)).toBe(true);
  });

  it.each([
    ['the order of scores that are apart', boxes(cat, far), boxes(far, cat)],
    [
      'an order over a row between',
      boxes(cat, { ...faint, score: 0.85 }, near),
      boxes(near, cat, { ...faint, score: 0.85 }),
    ],
    ['a pixel beside scores that are apart', boxes(cat, dog), boxes({ ...cat, xMax: 31 }, { ...dog, score: 0.81 })],
  ])('is more than rounding: %s', (_, here, there) => {
    expect(compareAnswers(here, there).verdict).toBe('differs');
  });

  it('pairs what moved with what it was, not with a neighbour that has a partner', () => {
    const moved = { ...cat, xMin: 4 };
    expect(compareAnswers(boxes(cat, dog), boxes(dog, moved)).differences).toEqual([
      { what: 'box', here: cat, there: moved, isRounding: false },
    ]);
  });

  it('still tells the scores of the rows that agree', () => {
    const { largestScoreDifference } = compareAnswers(boxes(cat, dog), boxes({ ...cat, score: 0.8 }));
    expect(largestScoreDifference).toBeCloseTo(0.1, 9);
  });
});
