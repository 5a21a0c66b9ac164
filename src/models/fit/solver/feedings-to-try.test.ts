import { describe, expect, it } from 'vitest';
import { asBytesLessMean, asSigned, asUnits } from '../../../machine/vision/preprocess/normalizations.ts';
import { feedingsToTry } from './feedings-to-try.ts';
import { feedingWords } from './rank-feedings.ts';

const present = { bgr: false, meanValue: asUnits.mean, stdDev: asUnits.stdDev, fit: 'stretch' } as const;

describe('feedingsToTry', () => {
  it('begins with the present one, and has each range with red and with blue first', () => {
    const listed = feedingsToTry(present, 'float32', false).map(feedingWords);
    expect(listed[0]).toBe('RGB, values from 0 to 1');
    expect(new Set(listed).size).toBe(10);
  });

  it('has one of two that no picture tells apart: the present one', () => {
    const caffe = { ...present, bgr: true, meanValue: [103.939 / 255, 116.779 / 255, 123.68 / 255], stdDev: asBytesLessMean.stdDev } as const; // prettier-ignore
    const ultraFace = { ...present, meanValue: Array(3).fill(127 / 255), stdDev: Array(3).fill(128 / 255) };
    for (const own of [caffe, ultraFace]) {
      const listed = feedingsToTry(own, 'float32', false);
      expect(listed[0]).toBe(own);
      expect(listed.length).toBe(10);
      expect(listed.slice(1).map(feedingWords)).not.toContain(feedingWords(own));
    }
  });

  it('tells bytes apart by the order of colours alone', () => {
    expect(feedingsToTry(present, 'uint8', false).map(({ bgr }) => bgr)).toEqual([false, true]);
  });

  it('keeps the border of the present one', () => {
    const listed = feedingsToTry({ ...present, fit: 'letterbox' }, 'float32', false);
    expect(new Set(listed.map(({ fit }) => fit))).toEqual(new Set(['letterbox']));
  });

  it('has only what options can say, where they say how a model is fed', () => {
    const listed = feedingsToTry({ ...present, meanValue: asSigned.mean, stdDev: asSigned.stdDev }, 'float32', true);
    expect(listed.map(feedingWords).toSorted()).toEqual([
      'BGR, values from 0 to 1',
      'BGR, values from 0 to 255',
      'BGR, values from −1 to 1',
      'RGB, ImageNet mean and deviation',
      'RGB, values from 0 to 1',
      'RGB, values from 0 to 255',
      'RGB, values from −1 to 1',
    ]);
  });
});
