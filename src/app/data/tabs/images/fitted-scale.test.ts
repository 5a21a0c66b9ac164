import { expect, it } from 'vitest';
import { fittedScale } from './fitted-scale.ts';

it.each([
  [0.5, 1600, 0.5],
  [1.3, 600, 1],
  [2, 64, 1],
  [2.1, 64, 2],
  [5, 10, 5],
  [60, 10, 8],
])('where %d fills the stage, a picture of %d px is shown at %d', (whole, sidePx, expected) => {
  expect(fittedScale(whole, { widthPx: sidePx, heightPx: sidePx })).toBe(expected);
});
