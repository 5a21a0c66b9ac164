import { expect, it } from 'vitest';
import { binScores, countScore, scoreBinCount, sumBins } from './score-bins.ts';

const filled = (bins: Uint32Array): readonly (readonly [number, number])[] =>
  [...bins].flatMap((count, bin) => (count === 0 ? [] : [[bin, count] as const]));

it('counts the scores of each label, those outside 0 to 1 at the ends, and no NaN', () => {
  const score = Float64Array.of(0.02, 0.9, -3, 1, 7, NaN, 0.5);
  const labelIndex = Uint32Array.of(0, 2, 0, 0, 0, 0, 0);
  const binsOf = binScores({ count: 6, labelIndex, score }, 3);
  expect(binsOf.map(filled)).toEqual([
    [
      [0, 1],
      [1, 1],
      [49, 2],
    ],
    [],
    [[45, 1]],
  ]);
  expect(filled(sumBins(binsOf))).toEqual([
    [0, 1],
    [1, 1],
    [45, 1],
    [49, 2],
  ]);
});

it('takes a score away again', () => {
  const bins = new Uint32Array(scoreBinCount);
  expect([countScore(0.3, bins), countScore(NaN, bins), countScore(0.3, bins, -1)]).toEqual([true, false, true]);
  expect(filled(bins)).toEqual([]);
});
