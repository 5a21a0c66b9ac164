import { describe, expect, it } from 'vitest';
import { compareAnswers } from './compare-answers.ts';
import type { FrameAnswer } from './live-machine.ts';

const cat = { label: 'cat', score: 0.9, xMin: 1, yMin: 2, xMax: 30, yMax: 40 };
const dog = { label: 'dog', score: 0.8, xMin: 5, yMin: 6, xMax: 70, yMax: 80 };
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
      ...{ verdict: 'equal', largestScoreDifference: 0, differences: [], rows: 2 },
    });
    expect(compareAnswers(boxes(), boxes()).verdict).toBe('equal');
  });

  it('tells by how much scores differ, of boxes and of classes', () => {
    expect(compareAnswers(boxes(cat, dog), boxes(cat, { ...dog, score: 0.75 }))).toMatchObject({
      ...{ verdict: 'scores-differ', differences: [] },
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
    ['an edge of a box by one pixel', boxes(cat), boxes({ ...cat, xMax: 31 }), ['box']],
    ['each other edge', boxes(cat), boxes({ ...cat, xMin: 0, yMin: 1, yMax: 41 }), ['box']],
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

  it('pairs what moved with what it was, not with a neighbour that has a partner', () => {
    const moved = { ...cat, xMin: 2 };
    expect(compareAnswers(boxes(cat, dog), boxes(dog, moved)).differences).toEqual([
      { what: 'box', here: cat, there: moved },
    ]);
  });

  it('still tells the scores of the rows that agree', () => {
    const { largestScoreDifference } = compareAnswers(boxes(cat, dog), boxes({ ...cat, score: 0.8 }));
    expect(largestScoreDifference).toBeCloseTo(0.1, 9);
  });
});
