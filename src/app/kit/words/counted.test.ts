import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it.each([
  [0, 'image', '0 images'],
  [1, 'image', '1 image'],
  [1, 'box', '1 box'],
  [10_800, 'box', '10,800 boxes'],
  [2, 'sketch', '2 sketches'],
  [1_200, 'sensor row', '1,200 sensor rows'],
])('counts %i %s as "%s"', (count, noun, words) => {
  expect(counted(count, noun)).toBe(words);
});
