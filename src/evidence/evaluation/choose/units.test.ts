import { expect, it } from 'vitest';
import { unitsOf } from './units.ts';

it('takes the frames of a sequence as one unit, and every other image as its own', () => {
  const images = [
    { id: '1', sequence: 'walk' },
    { id: '2', sequence: '' },
    { id: '3', sequence: 'walk' },
    { id: 'walk', sequence: '' },
  ];
  const { count, ofImage } = unitsOf(images);
  expect([count, Array.from(ofImage)]).toEqual([3, [0, 1, 0, 2]]);
});
