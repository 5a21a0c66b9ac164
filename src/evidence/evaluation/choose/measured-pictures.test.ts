import { expect, it } from 'vitest';
import { fewestUnits, measuredPictures } from './measured-pictures.ts';

const single = (count: number) => ({ count, ofImage: Uint32Array.from({ length: count }, (_, at) => at) });

it('measures on pictures that are not searched, where these are enough', () => {
  const { searched, measured, isApart } = measuredPictures(single(12 + fewestUnits), 12);
  expect([searched.length, measured.length, isApart]).toEqual([12, fewestUnits, true]);
  expect(new Set([...searched, ...measured]).size).toBe(12 + fewestUnits);
});

it('measures on all of them where the others are too few', () => {
  expect(measuredPictures(single(11 + fewestUnits), 12)).toMatchObject({ isApart: false });
  expect(measuredPictures(single(3), 12)).toEqual({ searched: [0, 1, 2], measured: [0, 1, 2], isApart: false });
});

it('measures on no frame of a video that is searched', () => {
  const ofImage = Uint32Array.from({ length: 60 }, (_, at) => Math.floor(at / 10));
  const { searched, measured, isApart } = measuredPictures({ ofImage }, 12);
  expect([searched.length, measured.length, isApart]).toEqual([12, 60, false]);
});
