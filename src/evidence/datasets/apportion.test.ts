import { expect, it } from 'vitest';
import { apportion } from './apportion.ts';

it.each([
  [10, [1, 1], [5, 5]],
  [7, [1, 1, 1], [3, 2, 2]],
  [8, [1, 1, 1], [3, 3, 2]],
  [10, [0.25, 0.35, 0.4], [3, 3, 4]],
  [3, [1, 5], [1, 2]],
  [1, [1, 3], [0, 1]],
  [5, [0, 0], [0, 0]],
  [0, [1, 2], [0, 0]],
  [4, [], []],
])('shares out %i by %j as %j', (count, weights, parts) => {
  expect(apportion(count, weights)).toEqual(parts);
});
