import { describe, expect, it } from 'vitest';
import { photoHash } from '../../../../tests/photo-like.ts';
import { unitsText, dependenceDoubt } from './dependence-words.ts';
import { dependentPictures, groupNames, isKnown, recordedGroup, type PictureOfSet } from './dependent-pictures.ts';

describe('what is recorded', () => {
  it.each<[...Parameters<typeof recordedGroup>, string]>([
    [null, 120_500, 'cam', 'minute 2 of cam'],
    [null, 179_999, 'cam', 'minute 2 of cam'],
    [null, 180_000, 'cam', 'minute 3 of cam'],
    [null, null, 'cam', ''],
    [null, 120_500, null, ''],
    ['walk', 120_500, 'cam', 'sequence walk'],
  ])('of sequence %j, time %j and camera %j is %j', (sequence, timeMs, source, group) => {
    expect(recordedGroup(sequence, timeMs, source)).toBe(group);
  });
});

/** The hash with its lowest bits turned over. */
const turned = (hash: bigint, bits: number): bigint => hash ^ ((1n << BigInt(bits)) - 1n);
const picture = (name: string, hash: bigint | null, recorded = ''): PictureOfSet => ({ name, hash, recorded });
const photos = (count: number): PictureOfSet[] => Array.from({ length: count }, (_, at) => picture(`${at}.jpg`, photoHash(at))); // prettier-ignore
const found = (pictures: readonly PictureOfSet[], isStated = false) => {
  const dependence = dependentPictures(pictures, isStated);
  const units = new Set(dependence.groups.map((group, at) => group || at)).size;
  return { units, basis: dependence.basis, alikeCount: dependence.alikeCount };
};

describe('pictures of which nothing is recorded', () => {
  it('are on their own where no two look alike', () => {
    expect(found(photos(60))).toEqual({ units: 60, basis: 'pictures', alikeCount: 0 });
  });

  it('count as one up to 8 bits, and between neighbours by name up to 16', () => {
    const more = (bits: number, name: string) =>
      found([...photos(20), picture(name, turned(photoHash(4), bits))]).units;
    expect([more(8, 'z.jpg'), more(9, 'z.jpg')]).toEqual([20, 21]);
    expect([more(16, '4a.jpg'), more(17, '4a.jpg')]).toEqual([20, 21]);
    // 10 comes behind 9, not behind 1.
    expect(found([...photos(10), picture('10.jpg', turned(photoHash(9), 16))]).units).toBe(10);
  });

  it('are frames of who knows how few videos where a quarter look alike', () => {
    const frames = Array.from({ length: 60 }, (_, at) => picture(`f${at}.jpg`, turned(photoHash(Math.floor(at / 30)), at % 8))); // prettier-ignore
    expect(found(frames)).toEqual({ units: 2, basis: 'alike', alikeCount: 60 });
    const some = (count: number) => found([...photos(20 - count / 2), ...photos(count / 2).map(({ hash }, at) => picture(`z${at}`, hash))]).basis; // prettier-ignore
    expect([some(4), some(6)]).toEqual(['pictures', 'alike']);
  });

  it('are not known where one was not looked at', () => {
    expect(found([...photos(20), picture('lost.jpg', null)]).basis).toBe('unseen');
  });

  it('are on their own where somebody says so, and what is recorded stays', () => {
    const alike = Array.from({ length: 5 }, (_, at) => picture(`${at}`, 7n));
    const walk = [picture('a', null, 'sequence walk'), picture('b', null, 'sequence walk')];
    expect(found([...alike, ...walk], true)).toEqual({ units: 6, basis: 'stated', alikeCount: 0 });
    expect(found(walk, true)).toEqual({ units: 1, basis: 'recorded', alikeCount: 0 });
  });
});

it('names the groups of a set that is compared: none where it is not known', () => {
  const open = [picture('a', 7n), picture('b', 7n), picture('c', null, 'minute 1 of cam')];
  expect(groupNames(dependentPictures(open, false), open)).toEqual(['', '', 'minute 1 of cam']);
  expect(groupNames(dependentPictures(open, true), open)).toEqual(['picture 0', 'picture 1', 'minute 1 of cam']);
});

it.each([
  ['recorded', 0, 12, 12, '12 independent images'],
  ['recorded', 0, 12, 3, '3 independent units, as images of one sequence, or of one camera and minute, count as one'],
  ['pictures', 2, 12, 11, '11 independent units, as images that look alike, or belong to one sequence, or to one camera and minute, count as one'],
  ['stated', 0, 1200, 1200, '1,200 independent images: somebody says that each shows another scene or time'],
  ['alike', 12, 12, 1, '12 images, 1 unit at most: it is not known which are independent'],
] as const)('says what figures stand on: %s', (basis, alikeCount, images, units, words) => {
  expect(unitsText({ basis, alikeCount }, images, units)).toBe(words);
  expect(dependenceDoubt({ basis, alikeCount }) === '').toBe(isKnown({ basis }));
}); // prettier-ignore
