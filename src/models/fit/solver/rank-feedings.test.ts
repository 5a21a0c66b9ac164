import { describe, expect, it } from 'vitest';
import { asBytesLessMean, asUnits, type Normalization } from '../../../machine/vision/preprocess/normalizations.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';
import { chosenFeeding, feedingWords, openBetween, rankFeedings } from './rank-feedings.ts';

const way = (bgr: boolean, { mean, stdDev }: Normalization = asUnits): InputInterpretation => ({
  bgr,
  meanValue: mean,
  stdDev,
  fit: 'stretch',
});
const ways = [way(false), way(true), way(true, asBytesLessMean)];
/** One picture, each way seen in one view. */
const seen = (...sureness: readonly number[]) => sureness.map((one) => [one]);

describe('rankFeedings', () => {
  it('is decided where one way alone lets the model see the answer', () => {
    const { ranked, verdict } = rankFeedings(ways, [seen(0.02, 0.9, 0.1)]);
    expect(verdict).toBe('decided');
    expect(ranked.map(({ input, isNear }) => [ways.indexOf(input), isNear])).toEqual([
      [1, true],
      [2, false],
      [0, false],
    ]);
  });

  it('is open where another comes near', () => {
    const { ranked, verdict } = rankFeedings(ways, [seen(0.6, 0.9, 0.1)]);
    expect(verdict).toBe('open');
    expect(ranked.filter(({ isNear }) => isNear).map(({ input }) => ways.indexOf(input))).toEqual([1, 0]);
  });

  it('is never decided by answers that the model hardly sees, however far one way leads', () => {
    expect(rankFeedings(ways, [seen(1e-6, 0.45, 1e-9)]).verdict).toBe('unseen');
    expect(rankFeedings(ways, [seen(1e-6, 0.02, 1e-9)]).verdict).toBe('unseen');
    expect(rankFeedings([], []).verdict).toBe('unseen');
  });

  it('takes an answer that is missed for missed, however small its number is', () => {
    const pictures = [seen(0.9, 1e-30, 0), seen(0.3, 0.95, 0), seen(0.3, 0.95, 0), seen(0.3, 0.95, 0)];
    expect(ways.indexOf(rankFeedings(ways, pictures).ranked[0]!.input)).toBe(1);
  });

  it('adds up what several pictures say, and wants a lead that chance has not', () => {
    const one = seen(0.5, 0.8, 0.05);
    expect([1, 2, 4].map((count) => rankFeedings(ways, Array(count).fill(one)).verdict)).toEqual(['open', 'open', 'open']); // prettier-ignore
    expect(rankFeedings(ways, Array(6).fill(one)).verdict).toBe('decided');
    expect(rankFeedings(ways, [one, one, seen(0.8, 0.5, 0.05), seen(0.8, 0.5, 0.05)]).verdict).toBe('open');
  });

  it('counts every view of a picture', () => {
    const ofViews = [
      [0.9, 0.1, 0.1],
      [0.8, 0.8, 0.8],
      [0, 0, 0],
    ];
    expect(ways.indexOf(rankFeedings(ways, [ofViews]).ranked[0]!.input)).toBe(1);
  });
});

describe('openBetween', () => {
  it('says what the ways that are near differ in', () => {
    const among = (sureness: readonly number[], inputs = ways) =>
      openBetween(rankFeedings(inputs, [sureness.map((one) => [one])]));
    expect(among([0.8, 0.9, 0])).toBe('colours');
    expect(among([0, 0.9, 0.8])).toBe('values');
    expect(among([0.9, 0, 0.8])).toBe('both');
    expect(among([0, 0.9, 0])).toBeNull();
    // Means go with the colour, not with its place.
    const turned = { ...way(false, asBytesLessMean), meanValue: asBytesLessMean.mean.toReversed() };
    expect(among([0.9, 0.8], [way(true, asBytesLessMean), turned])).toBe('colours');
    // Caffe's own mean is a name for the same values.
    const caffe = { ...way(true, asBytesLessMean), meanValue: [103.939 / 255, 116.779 / 255, 123.68 / 255] };
    expect(among([0.9, 0.8], [caffe, way(false, asBytesLessMean)])).toBe('colours');
  });
});

describe('chosenFeeding', () => {
  const ranking = rankFeedings(ways, [seen(0.02, 0.9, 0.1)]);

  it('is sure of the first where it is decided, and of no other', () => {
    expect(chosenFeeding(ranking, ranking.ranked[0]!, 1)).toEqual({
      preprocessing: { colour: 'bgr', mean: [0, 0, 0], stdDev: [1, 1, 1] },
      why: 'It is fed BGR, values from 0 to 1: no other usual way comes near on 1 labelled picture.',
      isSure: true,
    });
    expect(chosenFeeding(ranking, ranking.ranked[1]!, 1)).toMatchObject({
      preprocessing: { colour: 'bgr', mean: asBytesLessMean.mean },
      isSure: false,
    });
  });

  it('is not sure of the first where others are near', () => {
    const open = rankFeedings(ways, [seen(0.8, 0.9, 0.1), seen(0.8, 0.9, 0.1)]);
    expect(chosenFeeding(open, open.ranked[0]!, 2)).toMatchObject({
      why: 'BGR, values from 0 to 1 was chosen, and 2 labelled pictures do not decide it.',
      isSure: false,
    });
  });
});

describe('feedingWords', () => {
  it('names the mean of Caffe as that of ImageNet, and says numbers of what has no name', () => {
    const caffe = { mean: [103.939 / 255, 116.779 / 255, 123.68 / 255], stdDev: asBytesLessMean.stdDev } as const;
    expect(feedingWords(way(true, caffe))).toBe('BGR, bytes less the ImageNet mean');
    expect(feedingWords(way(false, { mean: [0.4, 0.4, 0.4], stdDev: [0.25, 0.25, 0.25] }))).toBe(
      'RGB, mean 0.400, 0.400, 0.400 and deviation 0.250, 0.250, 0.250 of values 0 to 1',
    );
  });
});
